import { PassThrough } from 'node:stream';
import { MongoBulkWriteError, MongoServerError } from 'mongodb';
import { expect, test } from 'vitest';
import { AppError } from './app-error.js';
import { createLog, type Log, withoutQuery } from './log.js';

const SECRET = 'hunter2-hunter2';
const KEYS = ['authorization', 'password', 'secret', 'token', 'apiKey', 'credential', 'cookie'];

/** What a log writes, as text. */
function written(write: (log: Log) => void): string {
  const out = new PassThrough();
  write(createLog('test', 'trace', out));
  return String(out.read() ?? '');
}

test('secrets are left out of lines at each of the first three levels (T-10)', () => {
  const secrets = Object.fromEntries(KEYS.map((key) => [key, SECRET]));
  const text = written((log) => log.info({ ...secrets, one: { ...secrets, two: secrets }, kept: 'seen' }, 'hello'));
  expect(text).not.toContain(SECRET);
  expect(text.split('[redacted]')).toHaveLength(KEYS.length * 3 + 1);
  expect(JSON.parse(text)).toMatchObject({ service: 'test', level: 'info', message: 'hello', kept: 'seen' });
});

test('secrets are left out of the lines of a child, its bindings too', () => {
  const text = written((log) =>
    log.child({ request: { cookie: SECRET } }).info({ headers: { authorization: SECRET } }),
  );
  expect(text).not.toContain(SECRET);
});

test('an error is logged with its text, its code and its causes', () => {
  const cause = Object.assign(new Error('connection lost'), { code: 'ECONNRESET' });
  const text = written((log) => log.error({ err: new Error('failed', { cause }) }));
  const { err } = JSON.parse(text);
  expect(err).toMatchObject({ type: 'Error', message: 'failed: connection lost' });
  expect(err.stack).toContain('log.test.ts');
  const app = new AppError('CONFLICT', { code: 'CODE_TAKEN', message: 'Taken.' });
  expect(JSON.parse(written((log) => log.error({ err: app }, 'failed'))).err).toMatchObject({
    kind: 'CONFLICT',
    code: 'CODE_TAKEN',
  });
});

test('what libraries hang on their errors is left out: commands with their arguments, documents (T-10)', () => {
  const refused = Object.assign(new Error('WRONGPASS'), { command: { name: 'auth', args: ['user', SECRET] } });
  const insert = new MongoBulkWriteError(
    { message: 'E11000 duplicate key', code: 11000, writeErrors: [{ err: { op: { url: SECRET } } }] as never },
    { insertedIds: {}, getWriteErrors: () => [{ op: { targetUrl: SECRET } }] } as never,
  );
  const server = new MongoServerError({ message: 'refused', code: 8000, errInfo: { document: SECRET } });
  for (const err of [refused, insert, server, new AggregateError([refused, insert], 'both')]) {
    const text = written((log) => log.error({ err }, 'failed'));
    expect(text).not.toContain(SECRET);
    expect(text).toContain(err.message);
  }
});

test('the password of a URL is left out of the text of an error', () => {
  const err = new Error(`can't reach mongodb://user:${SECRET}@one.example:27017/?x`, {
    cause: new Error(`redis://:${SECRET}@two.example`),
  });
  const text = written((log) => log.error({ err }, 'failed'));
  expect(text).not.toContain(SECRET);
  expect(text).toContain('mongodb://one.example:27017/');
  expect(written((log) => log.warn({ err: err.message }, 'failed'))).not.toContain(SECRET);
});

test.each([
  ['https://a.example/b?token=1#c', 'https://a.example/b'],
  ['https://a.example/b#token=1', 'https://a.example/b'],
  ['https://user:pass@a.example/b', 'https://a.example/b'],
  ['https://user:p@ss@a.example/b', 'https://a.example/b'],
  ['https://a.example/@b', 'https://a.example/@b'],
  ['https://a.example?b@c', 'https://a.example'],
  ['/just/a/path?x=1', '/just/a/path'],
  ['//user@a.example/b', '//a.example/b'],
  ['', ''],
])('a URL in a log or an audit entry has neither query, fragment nor userinfo: %s', (url, shown) => {
  expect(withoutQuery(url)).toBe(shown);
});
