import { domainToUnicode } from 'node:url';
import {
  CodeCase,
  DomainKind,
  type Domain as DomainMessage,
  type DomainServiceService,
  DomainState,
  type DomainGroup as GroupMessage,
} from '../../gen/proto/waypost/domain/v1/domain_service.js';
import type { Handlers } from '../../runtime/rpc-server.js';
import type { Domains, GroupView } from './domains.js';
import type { Domain } from './store.js';

export function domainHandlers(domains: Domains): Handlers<typeof DomainServiceService> {
  return {
    async getGroups({ ids, names }, { tenantId }) {
      return { groups: (await domains.groups(tenantId, ids, names)).map(groupMessage) };
    },

    async listGroups({ first, afterId }, { tenantId }) {
      const { groups, more } = await domains.groupsAfter(tenantId, afterId, first);
      return { groups: groups.map(groupMessage), hasMore: more };
    },

    async getDomains({ ids, hostnames }, { tenantId }) {
      return { domains: (await domains.domains(tenantId, ids, hostnames)).map(domainMessage) };
    },

    async matchHosts({ hostnames }) {
      return { hostnames: await domains.ownHosts(hostnames) };
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
