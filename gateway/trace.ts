import { randomBytes } from 'node:crypto';

/** https://www.w3.org/TR/trace-context/#traceparent-header; a later version may add fields after a dash. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?$/;

/** The trace that the caller says this request is part of, else a new one: 32 hexadecimal digits. */
export function traceIdOf(traceparent: string | undefined): string {
  const match = traceparent && TRACEPARENT.exec(traceparent);
  // Version 00 has exactly four fields.
  const valid = match && !(traceparent.startsWith('00') && match[2] !== undefined);
  return valid ? (match[1] as string) : randomBytes(16).toString('hex');
}
