import { GraphQLError, GraphQLScalarType, Kind } from 'graphql';

/**
 * Inputs of DateTime and URL stay the text that they came as: the service parses them and answers a problem with the path,
 * so that one bad value never fails a request (decisions 26).
 */
export const scalars = {
  DateTime: textScalar('DateTime', (value) => {
    if (!(value instanceof Date)) throw new Error('DateTime is not a Date');
    return value.toISOString();
  }),
  URL: textScalar('URL', String),
  JSON: new GraphQLScalarType({ name: 'JSON' }),
  SafeInt: new GraphQLScalarType({ name: 'SafeInt', serialize: safeInteger, parseValue: safeInteger }),
};

function textScalar(name: string, serialize: (value: unknown) => string): GraphQLScalarType {
  const text = (value: unknown): string => {
    if (typeof value === 'string') return value;
    throw new GraphQLError(`${name} must be a string.`);
  };
  return new GraphQLScalarType({
    name,
    serialize,
    parseValue: text,
    parseLiteral: (node) => text(node.kind === Kind.STRING ? node.value : undefined),
  });
}

function safeInteger(value: unknown): number {
  if (Number.isSafeInteger(value)) return value as number;
  throw new GraphQLError('SafeInt must be an integer of at most 2^53-1.');
}
