import { z } from 'zod';

/** All faults of an environment at once; a process that meets it doesn't start. */
export class ConfigError extends Error {
  readonly faults: readonly string[];

  constructor(service: string, faults: readonly string[]) {
    super(
      [`${service} can't start: ${faults.length} bad setting(s)`, ...faults.map((fault) => `  ${fault}`)].join('\n'),
    );
    this.name = 'ConfigError';
    this.faults = faults;
  }
}

export type Env = Readonly<Record<string, string | undefined>>;

/** A setting's value must hold for the whole; `check` answers what is wrong, naming the settings. */
export type CrossCheck<T> = (values: T) => string | undefined;

/**
 * Reads settings by their names. An empty variable counts as absent.
 * @throws ConfigError that lists every bad setting and every broken relation between settings.
 */
export function readEnv<S extends z.ZodRawShape>(
  service: string,
  shape: S,
  env: Env,
  checks: readonly CrossCheck<z.infer<z.ZodObject<S>>>[] = [],
): Readonly<z.infer<z.ZodObject<S>>> {
  const given = Object.fromEntries(Object.keys(shape).map((name) => [name, env[name] || undefined]));
  const parsed = z.object(shape).safeParse(given);
  if (!parsed.success) {
    throw new ConfigError(
      service,
      parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`),
    );
  }
  const broken = checks.map((check) => check(parsed.data)).filter((fault) => fault !== undefined);
  if (broken.length > 0) throw new ConfigError(service, broken);
  return Object.freeze(parsed.data);
}

/** host:port, port 0 for a free one. */
export function addressSetting(fallback: string, description: string) {
  return z
    .string()
    .regex(/^(\[[0-9a-fA-F:.]+\]|[^:\s]+):\d{1,5}$/, 'is not host:port')
    .refine((address) => Number(address.slice(address.lastIndexOf(':') + 1)) < 65_536, 'has a port above 65535')
    .default(fallback)
    .describe(description);
}

/** Whole milliseconds. */
export function millisSetting(fallback: number, description: string) {
  return z.coerce.number().int().min(1).max(86_400_000).default(fallback).describe(description);
}
