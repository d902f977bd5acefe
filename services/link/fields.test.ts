import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FieldReader } from './fields.js';

function read(fields: Partial<Parameters<FieldReader['read']>[0]>) {
  const reader = new FieldReader();
  const value = reader.read({ tags: [], metadata: [], ...fields });
  return { value, problems: reader.problems };
}

describe('fields of a link', () => {
  it('are all looked at: every fault is named at once, with its path', () => {
    const { problems } = read({
      title: 'x'.repeat(501),
      note: 'a\u0000b',
      externalId: ' padded ',
      tags: ['ok', '', 'y'.repeat(101)],
      metadata: [
        { key: 'deep', value: { $ne: null } },
        { key: '', value: 1 },
      ],
      effectiveAt: 'soon',
      expiresAt: '2027-02-30T00:00:00Z',
    });
    expect(problems.map(({ code, path }) => [code, path?.join('.')])).toEqual([
      ['TOO_LONG', 'title'],
      ['CONTROL_CHAR', 'note'],
      ['INVALID_ARGUMENT', 'externalId'],
      ['INVALID_ARGUMENT', 'tags.1'],
      ['TOO_LONG', 'tags.2'],
      ['INVALID_ARGUMENT', 'metadata.deep'],
      ['INVALID_ARGUMENT', 'metadata'],
      ['DATE_INVALID', 'effectiveAt'],
      ['DATE_INVALID', 'expiresAt'],
    ]);
  });

  it('keep keys of metadata that databases and languages give a meaning as plain data', () => {
    const keys = ['__proto__', 'constructor', '$where', 'a.b', '$ne'];
    const { value, problems } = read({ metadata: keys.map((key) => ({ key, value: 'x' })) });
    expect(problems).toEqual([]);
    expect(value.metadata.map(([key]) => key)).toEqual(keys);
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });

  it('trim tags and list each once, in their first order', () => {
    expect(read({ tags: [' b ', 'a', 'b', 'a'] }).value.tags).toEqual(['b', 'a']);
  });

  it('never make the reader throw', () => {
    const text = fc.option(fc.string({ unit: 'binary' }), { nil: undefined });
    fc.assert(
      fc.property(
        text,
        text,
        text,
        text,
        fc.array(fc.string({ unit: 'binary' })),
        (title, note, externalId, date, tags) => {
          read({ title, note, externalId, effectiveAt: date, expiresAt: date, tags });
        },
      ),
    );
  });
});
