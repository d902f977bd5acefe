import type { StreamName } from './streams.js';

/** What one process may say and hear; everything else is refused by the server (security.md N2). */
export interface NatsUser {
  publish: readonly string[];
  subscribe: readonly string[];
}

/** The JetStream calls that the client makes to read one stream. */
function reads(stream: StreamName): string[] {
  return [
    `$JS.API.STREAM.INFO.${stream}`,
    // Without a token for the consumer when it filters by several subjects.
    `$JS.API.CONSUMER.CREATE.${stream}`,
    `$JS.API.CONSUMER.CREATE.${stream}.>`,
    `$JS.API.CONSUMER.INFO.${stream}.>`,
    `$JS.API.CONSUMER.DELETE.${stream}.>`,
    `$JS.API.CONSUMER.MSG.NEXT.${stream}.>`,
    '$JS.API.INFO',
  ];
}

/** The calls to make a stream or bring its settings up to date. */
function owns(stream: StreamName): string[] {
  return ['INFO', 'CREATE', 'UPDATE'].map((call) => `$JS.API.STREAM.${call}.${stream}`).concat('$JS.API.INFO');
}

/** Where answers to a user's requests arrive: each hears its own alone. */
export function inboxPrefix(user: string): string {
  return `_INBOX_${user}`;
}

function answersTo(user: string): string[] {
  return [`${inboxPrefix(user)}.>`];
}

export const NATS_USERS = {
  link: {
    publish: ['inv.link.>', 'inv.beat.link', 'evt.>', ...owns('INVALIDATIONS'), ...owns('EVENTS')],
    subscribe: answersTo('link'),
  },
  domain: {
    publish: ['inv.host.>', 'inv.beat.domain', 'evt.>', ...owns('INVALIDATIONS'), ...owns('EVENTS')],
    subscribe: answersTo('domain'),
  },
  /** Reads invalidations, forges none; tells of clicks, reads none. */
  redirect: {
    publish: [...reads('INVALIDATIONS'), 'click.*', ...owns('CLICKS')],
    subscribe: answersTo('redirect'),
  },
  stats: {
    publish: [
      ...reads('CLICKS'),
      '$JS.API.CONSUMER.DURABLE.CREATE.CLICKS.>',
      '$JS.ACK.CLICKS.>',
      // The oldest click that waits tells how far the numbers reach.
      '$JS.API.STREAM.MSG.GET.CLICKS',
      'dead.>',
      ...owns('CLICKS'),
      ...owns('DEAD'),
    ],
    subscribe: answersTo('stats'),
  },
} satisfies Record<string, NatsUser>;

export type NatsRole = keyof typeof NATS_USERS;

/** The `authorization` block of a nats-server configuration for these users. */
export function natsAuthorization(passwords: Record<NatsRole, string>): string {
  const users = Object.entries(NATS_USERS).map(([user, { publish, subscribe }]) => ({
    user,
    password: passwords[user as NatsRole],
    permissions: { publish: { allow: publish }, subscribe: { allow: subscribe } },
  }));
  // nats-server reads JSON as its own configuration language.
  return `authorization: ${JSON.stringify({ users }, null, 2)}\n`;
}
