import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { NATS_USERS, type NatsRole, natsAuthorization } from '../runtime/nats-users.js';

/** Services that speak to Redis, each with the commands that it needs and its own keys (security.md RD-1). */
const LINK_CACHE = '~sl:* resetchannels +@all -@dangerous -@scripting +eval +evalsha +info';
const REDIS_RULES = {
  link: LINK_CACHE,
  redirect: LINK_CACHE,
  // The first four are what the client itself needs.
  stats:
    '~uv:* resetchannels -@all +info +ping +client|setname +client|setinfo ' +
    '+zadd +zscore +pfadd +pfcount +expire +pexpireat +pexpiretime +eval',
} as const;
type RedisRole = keyof typeof REDIS_RULES;

/** Passwords of the servers that are started here: new at each start, known to the processes of this start alone. */
export interface Credentials {
  natsConfig: string;
  redisAcl: string;
  nats: Record<NatsRole, string>;
  redis: Record<RedisRole, string>;
}

export function createCredentials(): Credentials {
  const nats = passwords(Object.keys(NATS_USERS) as NatsRole[]);
  const redis = passwords(Object.keys(REDIS_RULES) as RedisRole[]);
  const users = Object.entries(REDIS_RULES).map(
    ([role, rules]) => `user ${role} on >${redis[role as RedisRole]} ${rules}`,
  );
  return { nats, redis, natsConfig: natsAuthorization(nats), redisAcl: ['user default off', ...users, ''].join('\n') };
}

/** The URL with a role's name and password. */
export function withCredentials(url: string, user: string, password: string): string {
  return url.replace('://', `://${user}:${password}@`);
}

/** The key that all others are derived from; made once for a data directory, readable by its owner alone. */
export async function masterKey(dataDir: string): Promise<string> {
  const file = join(dataDir, 'master.key');
  const stored = await readFile(file, 'utf8').catch(() => undefined);
  if (stored) return stored.trim();
  const key = randomBytes(32).toString('base64url');
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await writeFile(file, `${key}\n`, { mode: 0o600 });
  return key;
}

function passwords<R extends string>(roles: readonly R[]): Record<R, string> {
  return Object.fromEntries(roles.map((role) => [role, randomBytes(24).toString('base64url')])) as Record<R, string>;
}
