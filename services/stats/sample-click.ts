import type { Click } from './clicks.js';

let made = 0;

/** A click with an id of its own, for tests: of a person, whatever is not given the same for all. */
export function sampleClick(given: Partial<Click> & Pick<Click, 'timeMs'>): Click {
  const id = Buffer.alloc(16);
  id.writeUInt32BE(++made, 12);
  const visitor = 'visitor' in given ? given.visitor : 1n;
  return {
    id,
    tenantId: 'ten_1',
    linkId: 'lnk_1',
    groupId: 'grp_1',
    domainId: 'dom_1',
    shortCode: 'code',
    targetVersion: 1,
    visitor,
    saltId: visitor === undefined ? '' : new Date(given.timeMs).toISOString().slice(0, 10),
    trafficClass: 'HUMAN',
    country: 'DE',
    client: { device: 'DESKTOP', os: 'Linux', browser: 'Firefox' },
    referrer: '',
    language: 'de',
    trigger: 'link',
    channel: 'DIRECT',
    campaign: undefined,
    status: 302,
    costUs: 100,
    ...given,
  };
}
