import { type Logger, pino } from 'pino';

export type Log = Logger;

/** Keys whose values never reach a line, at any of the first three levels (T-10). */
const SECRET_KEYS = ['authorization', 'password', 'secret', 'token', 'apiKey', 'credential', 'cookie'];

/** JSON lines on standard error's sibling, standard output; one logger per process, a child per service. */
export function createLog(service: string, level: string): Log {
  return pino({
    name: service,
    level,
    base: { service },
    messageKey: 'message',
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: { paths: SECRET_KEYS.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]), censor: '[redacted]' },
  });
}

/** A URL as a log may hold it: without query, fragment and userinfo. */
export function withoutQuery(url: string): string {
  const end = url.search(/[?#]/);
  return (end < 0 ? url : url.slice(0, end)).replace(/\/\/[^/@]*@/, '//');
}
