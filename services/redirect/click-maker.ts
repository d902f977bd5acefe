import { type Click, Trigger } from '../../gen/proto/waypost/click/v1/click.js';
import type { ClientAddress } from '../../runtime/client-address.js';
import { ulidBytes } from '../../runtime/ulid.js';
import { readCampaign } from './campaign.js';
import type { Countries } from './country.js';
import { isFromQr, readVisitHeaders, type Visit } from './visit.js';
import { visitorOf } from './visitor.js';
import type { VisitorSalts } from './visitor-salts.js';

export interface ClickMakerOptions {
  clients: ClientAddress;
  countries: Pick<Countries, 'of'>;
  salts: Pick<VisitorSalts, 'at'>;
}

/** From a visit to the click that leaves the process. The visitor's address goes no further than here. */
export class ClickMaker {
  readonly #options: ClickMakerOptions;

  constructor(options: ClickMakerOptions) {
    this.#options = options;
  }

  make(visit: Visit): Click {
    const { timeMs } = visit;
    const { link, host, code } = visit.visited;
    const { clients, countries, salts } = this.#options;
    const { userAgent, referrer, language, prefetch, unrecognised, forwardedFor } = readVisitHeaders(visit.rawHeaders);
    const { campaign, adClick } = readCampaign(visit.url);
    const address = clients.of(visit.peer, forwardedFor);
    const salt = unrecognised || address === '' ? undefined : salts.at(timeMs);
    return {
      id: ulidBytes(timeMs),
      timeMs,
      tenantId: link.tenantId,
      linkId: link.linkId,
      groupId: host.groupId,
      domainId: host.domainId,
      shortCode: code,
      // Redis may hold what a build wrote that knew no versions.
      targetVersion: Number.isInteger(link.version) ? link.version : 0,
      visitor: salt && visitorOf(salt, link.tenantId, address, userAgent),
      saltId: salt?.id ?? '',
      country: countries.of(address),
      userAgent,
      referrer,
      language,
      flags: { head: visit.head, prefetch },
      status: visit.status,
      costUs: visit.costUs,
      trigger: isFromQr(visit.url) ? Trigger.QR : Trigger.LINK,
      campaign,
      adClick,
    };
  }
}
