import { GraphQLError, type GraphQLScalarTypeConfig, Kind, valueFromASTUntyped } from 'graphql';

/** How a scalar is read and written; its name and description are those of the schema, which instances would replace. */
type Coercion = Required<Pick<GraphQLScalarTypeConfig<unknown, unknown>, 'serialize' | 'parseValue' | 'parseLiteral'>>;

/**
 * Inputs of DateTime, URL and TimeZone stay the text that they came as: the service parses them and answers a problem with the path,
 * so that one bad value never fails a request (decisions 26). JSON needs nothing: a literal becomes what JSON would.
 */
export const scalars: Record<string, Coercion> = {
  DateTime: text('DateTime', (value) => {
    if (!(value instanceof Date)) throw new Error('DateTime is not a Date');
    return value.toISOString();
  }),
  URL: text('URL', String),
  TimeZone: text('TimeZone', String),
  SafeInt: {
    serialize: safeInteger,
    parseValue: safeInteger,
    parseLiteral: (node) => safeInteger(valueFromASTUntyped(node)),
  },
};

function text(name: string, serialize: (value: unknown) => string): Coercion {
  const read = (value: unknown): string => {
    if (typeof value === 'string') return value;
    throw new GraphQLError(`${name} must be a string.`);
  };
  return {
    serialize,
    parseValue: read,
    parseLiteral: (node) => read(node.kind === Kind.STRING ? node.value : undefined),
  };
}

function safeInteger(value: unknown): number {
  if (Number.isSafeInteger(value)) return value as number;
  throw new GraphQLError('SafeInt must be an integer of at most 2^53-1.');
}
