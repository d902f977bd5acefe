import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';

export type Log = Logger;

/** Keys whose values never reach a line, at any of the first three levels (T-10). */
const SECRET_KEYS = ['authorization', 'password', 'secret', 'token', 'apiKey', 'credential', 'cookie'];

/** JSON lines on standard error's sibling, standard output; one logger for each service. */
export function createLog(service: string, level: string, destination?: DestinationStream): Log {
  const options: LoggerOptions = {
    name: service,
    level,
    base: { service },
    messageKey: 'message',
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: errorFields },
    redact: { paths: SECRET_KEYS.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]), censor: '[redacted]' },
  };
  return destination ? pino(options, destination) : pino(options);
}

/** What names a failure. Libraries hang more on theirs: the command with its arguments, the documents of an insert. */
const ERROR_FIELDS = ['code', 'codeName', 'kind', 'errorLabels'] as const;

/** An error as a line may hold it: its text and stack with those of its causes, and the fields above. */
function errorFields(error: unknown): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? withoutPasswords(error) : error;
  const { type, message, stack } = pino.stdSerializers.err(error);
  const fields = error as Error & Partial<Record<(typeof ERROR_FIELDS)[number], unknown>>;
  return {
    type,
    message: withoutPasswords(message),
    stack: withoutPasswords(stack),
    ...Object.fromEntries(ERROR_FIELDS.map((name) => [name, fields[name]])),
    ...(error instanceof AggregateError ? { errors: error.errors.map(errorFields) } : {}),
  };
}

/** A failure for a person at a terminal: the stacks of an error and its causes, and nothing else that hangs on it. */
export function failureText(error: unknown): string {
  return withoutPasswords(error instanceof Error ? pino.stdSerializers.err(error).stack : String(error));
}

function withoutPasswords(text: string): string {
  return text.replace(/:\/\/[^\s/]*@/g, '://');
}

/** A URL as a log may hold it: without query, fragment and userinfo. */
export function withoutQuery(url: string): string {
  const end = url.search(/[?#]/);
  return (end < 0 ? url : url.slice(0, end)).replace(/\/\/[^/]*@/, '//');
}
