import { type GraphQLResolveInfo, Kind } from 'graphql';
import { AppError } from '../runtime/app-error.js';
import type { GatewayContext } from './context.js';

/**
 * The key of a mutation: the one in its input, else the header `Idempotency-Key`. The header names one effect, so it
 * counts only for a request with one mutation; with several, each needs a key in its input.
 * @returns the empty string for none
 * @throws AppError INVALID_ARGUMENT for a header that could stand for more than one mutation
 */
export function idempotencyKey(
  input: { idempotencyKey?: string | null },
  { idempotencyHeader }: GatewayContext,
  { operation }: GraphQLResolveInfo,
): string {
  if (input.idempotencyKey) return input.idempotencyKey;
  if (idempotencyHeader === undefined) return '';
  const selections = operation.selectionSet.selections.filter(
    (selection) => selection.kind !== Kind.FIELD || selection.name.value !== '__typename',
  );
  // A fragment may hold more than one.
  if (selections.length === 1 && selections[0]?.kind === Kind.FIELD) return idempotencyHeader;
  throw new AppError('INVALID_ARGUMENT', {
    code: 'INVALID_ARGUMENT',
    message: 'The header Idempotency-Key is for a request with one mutation. Give each input its own idempotencyKey.',
    path: ['idempotencyKey'],
  });
}
