import { writeFileSync } from 'node:fs';
import type { z } from 'zod';
import { settings as gateway } from '../gateway/config.js';
import { ERRORS, type ErrorEntry } from '../model/errors.js';
import { settings as domain } from '../services/domain/config.js';
import { settings as link } from '../services/link/config.js';
import { settings as redirect } from '../services/redirect/config.js';
import { settings as risk } from '../services/risk/config.js';
import { settings as stats } from '../services/stats/config.js';
import { settings as tenant } from '../services/tenant/config.js';

/** Writes the pages that are made from code, so that they can't disagree with it. */
const SERVICES: Record<string, z.ZodRawShape> = { gateway, tenant, link, domain, risk, stats, redirect };

function configurationPage(): string {
  const services = Object.entries(SERVICES);
  const names = [...new Set(services.flatMap(([, shape]) => Object.keys(shape)))].sort();
  const rows = names.map((name) => {
    const users = services.filter(([, shape]) => name in shape);
    const setting = users[0]?.[1][name] as z.ZodType;
    const fallback = defaultOf(setting);
    return `| \`${name}\` | ${fallback} | ${(setting.description ?? '').replaceAll('|', '\\|')} | ${users.map(([service]) => service).join(', ')} |`;
  });
  return page('Configuration', [
    'Every setting is an environment variable, read once at the start. A process that meets bad settings lists all of them',
    'and does not start. `npm start` chooses what one machine needs; whatever is set in its environment wins.',
    '',
    '| setting | default | meaning | read by |',
    '|---|---|---|---|',
    ...rows,
    '',
    '`npm start` itself reads `WAYPOST_DATA_DIR` (default `.waypost`), the folder of all data, and makes up',
    '`WAYPOST_BOOTSTRAP_KEY` at the first start when it is not set.',
  ]);
}

function defaultOf(setting: z.ZodType): string {
  if (!setting.safeParse(undefined).success) return '(required)';
  const value = setting.parse(undefined);
  const text = Array.isArray(value) ? value.join(',') : `${value ?? ''}`;
  return text === '' ? '(none)' : `\`${text}\``;
}

function errorsPage(): string {
  const rows = Object.entries<ErrorEntry>(ERRORS).map(
    ([code, { kind, meaning, remedy }]) => `| \`${code}\` | ${kind} | ${meaning} | ${remedy} |`,
  );
  return page('Errors', [
    'A failure that a caller can mend is a `Problem` in the `problems` of a mutation: `code`, `message`, `path` (beginning with',
    'the argument: `["input", "targetUrl"]`) and sometimes `details`. Other failures are entries of `errors` with',
    '`extensions.code`. Codes never change their meaning; new ones may come.',
    '',
    '| code | kind | meaning | what to do |',
    '|---|---|---|---|',
    ...rows,
  ]);
}

function page(title: string, lines: string[]): string {
  return [
    `# ${title}`,
    '',
    '<!-- Made by `npm run generate`; edit the code that it is made from. -->',
    '',
    ...lines,
    '',
  ].join('\n');
}

writeFileSync(new URL('../docs/configuration.md', import.meta.url), configurationPage());
writeFileSync(new URL('../docs/errors.md', import.meta.url), errorsPage());
