import { domainToUnicode } from 'node:url';
import {
  CodeCase,
  DomainKind,
  type Domain as DomainMessage,
  type DomainServiceService,
  DomainState,
  type DomainGroup as GroupMessage,
} from '../../gen/proto/waypost/domain/v1/domain_service.js';
import { tenantOf } from '../../runtime/rpc-context.js';
import type { Handlers } from '../../runtime/rpc-server.js';
import type { Domains, GroupView } from './domains.js';
import type { Domain } from './store.js';

export function domainHandlers(domains: Domains): Handlers<typeof DomainServiceService> {
  return {
    async getGroups({ ids, names }, caller) {
      return { groups: (await domains.groups(tenantOf(caller), ids, names)).map(groupMessage) };
    },

    async listGroups({ first, afterId }, caller) {
      const { groups, more } = await domains.groupsAfter(tenantOf(caller), afterId, first);
      return { groups: groups.map(groupMessage), hasMore: more };
    },

    async getDomains({ ids, hostnames }, caller) {
      return { domains: (await domains.domains(tenantOf(caller), ids, hostnames)).map(domainMessage) };
    },

    async matchHosts({ hostnames, origins }) {
      return { hostnames: await domains.ownHosts(hostnames), origins: await domains.ownOrigins(origins) };
    },
  };
}

function groupMessage({ group, recommended }: GroupView): GroupMessage {
  return {
    id: group.id,
    name: group.name,
    version: group.version,
    codePolicy: { codeCase: CodeCase[group.codeCase], codeLength: group.codeLength },
    recommendedDomain: recommended && domainMessage(recommended),
  };
}

function domainMessage(domain: Domain): DomainMessage {
  return {
    id: domain.id,
    groupId: domain.groupId,
    hostname: domain.hostname,
    displayName: domainToUnicode(domain.hostname),
    kind: DomainKind[domain.kind],
    state: DomainState[domain.state],
    stateSince: domain.stateSince,
    origin: domain.origin,
  };
}
