import { buildSchema, type GraphQLScalarType, graphql, parseValue, valueFromAST } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createSchema } from './schema.js';

const schema = createSchema();
const [DateTime, Url, Json, SafeInt] = ['DateTime', 'URL', 'JSON', 'SafeInt'].map(
  (name) => schema.getType(name) as GraphQLScalarType,
) as [GraphQLScalarType, GraphQLScalarType, GraphQLScalarType, GraphQLScalarType];

function literal(scalar: GraphQLScalarType, text: string): unknown {
  return valueFromAST(parseValue(text), scalar);
}

describe.each([DateTime, Url])('$name', (scalar) => {
  it.each([
    '2030-01-31T18:00:00Z',
    '2027-02-30',
    '',
    'x',
    'http://[',
    'javascript:1',
    '\0',
    '\ud800',
    '😀'.repeat(9_000),
  ])('takes any string as it is: %j', (text) => {
    expect(scalar.parseValue(text)).toBe(text);
    expect(scalar.parseLiteral({ kind: 'StringValue' as never, value: text } as never, {})).toBe(text);
  });

  it.each([1, true, {}, ['2030-01-31T18:00:00Z'], new Date()])('refuses what is not a string: %j', (value) => {
    expect(() => scalar.parseValue(value)).toThrow(`${scalar.name} must be a string.`);
  });

  it.each(['1', 'true', '{}', '["x"]', 'x'])('refuses a literal that is not a string: %s', (text) => {
    expect(literal(scalar, text)).toBeUndefined();
  });
});

it('scalars say where they are specified', () => {
  expect(DateTime.specifiedByURL).toContain('rfc3339');
  expect(Url.specifiedByURL).toContain('whatwg');
});

it.each(['1.5', '"1"', '9007199254740992'])('a SafeInt literal is checked too: %s', (value) => {
  expect(literal(SafeInt, value)).toBeUndefined();
});

it('a DateTime answers in UTC with milliseconds', () => {
  expect(DateTime.serialize(new Date('2030-01-31T18:00:00+08:00'))).toBe('2030-01-31T10:00:00.000Z');
});

it('a DateTime that is no date is a failure, not an answer', () => {
  expect(() => DateTime.serialize('yesterday')).toThrow();
  expect(() => DateTime.serialize(new Date(Number.NaN))).toThrow();
});

it.each([0, -1, 2 ** 53 - 1])('SafeInt takes %d', (n) => {
  expect(SafeInt.serialize(n)).toBe(n);
  expect(SafeInt.parseValue(n)).toBe(n);
});

it.each([2 ** 53, 1.5, Number.NaN, '1', 1n])('SafeInt refuses %s', (n) => {
  expect(() => SafeInt.serialize(n)).toThrow('SafeInt');
  expect(() => SafeInt.parseValue(n)).toThrow('SafeInt');
});

it('a JSON literal is what the same variable would be, and __proto__ is a key like any other (MG-3)', async () => {
  const echo = buildSchema('scalar JSON type Query { echo(value: JSON): String }');
  Object.assign(echo.getType('JSON') as object, Json.toConfig());
  let seen: unknown;
  const rootValue = {
    echo({ value }: { value: unknown }) {
      seen = value;
    },
  };
  const source = 'query($n: JSON) { echo(value: {a: 1, b: [true, null, 1.5], c: $n, __proto__: {polluted: true}}) }';
  await graphql({ schema: echo, source, rootValue, variableValues: { n: 'x' } });
  expect(Object.entries(seen as object)).toEqual([
    ['a', 1],
    ['b', [true, null, 1.5]],
    ['c', 'x'],
    ['__proto__', expect.objectContaining({ polluted: true })],
  ]);
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});
