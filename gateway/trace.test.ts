import { expect, it } from 'vitest';
import { traceIdOf } from './trace.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

it.each([`00-${TRACE}-00f067aa0ba902b7-01`, `00-${TRACE}-00f067aa0ba902b7-00`, `cc-${TRACE}-00f067aa0ba902b7-01-more`])(
  'a valid traceparent names the trace: %s',
  (header) => expect(traceIdOf(header)).toBe(TRACE),
);

it.each([
  undefined,
  '',
  TRACE,
  `ff-${TRACE}-00f067aa0ba902b7-01`,
  `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
  `00-${TRACE}-${'0'.repeat(16)}-01`,
  `00-${TRACE.toUpperCase()}-00f067aa0ba902b7-01`,
  `00-${TRACE}-00f067aa0ba902b7-01-more`,
  `00-${TRACE}-00f067aa0ba902b7-01, 00-${TRACE}-00f067aa0ba902b7-01`,
])('anything else begins a new trace: %s', (header) => {
  const first = traceIdOf(header);
  expect(first).toMatch(/^[0-9a-f]{32}$/);
  expect(first).not.toBe(TRACE);
  expect(traceIdOf(header)).not.toBe(first);
});
