import type { CreateLinkInput, InputMaybe, UpdateLinkInput } from '../../gen/graphql.js';
import type { LinkFields, MetadataEntry } from '../../gen/proto/waypost/link/v1/link_service.js';
import { AppError, type Problem } from '../../runtime/app-error.js';

/** Names of what an update can set, in GraphQL and in the mask. */
const MASK = {
  targetUrl: 'target_url',
  title: 'title',
  note: 'note',
  externalId: 'external_id',
  tags: 'tags',
  metadata: 'metadata',
  effectiveAt: 'effective_at',
  expiresAt: 'expires_at',
} as const satisfies Partial<Record<keyof UpdateLinkInput, string>>;

type FieldsInput = Pick<CreateLinkInput & UpdateLinkInput, keyof typeof MASK>;

/** What an update names: absent is unchanged; null is named in the mask and has no value, which clears it. */
export function maskOf(input: UpdateLinkInput): string[] {
  const names = Object.keys(MASK) as (keyof typeof MASK)[];
  return names.filter((name) => input[name] !== undefined).map((name) => MASK[name]);
}

/** Only for an input that has passed `checkInput`. */
export function fieldsOf(input: { [K in keyof FieldsInput]?: InputMaybe<FieldsInput[K]> }): LinkFields {
  return {
    targetUrl: input.targetUrl ?? undefined,
    title: input.title ?? undefined,
    note: input.note ?? undefined,
    externalId: input.externalId ?? undefined,
    tags: input.tags ?? [],
    metadata: Object.entries(input.metadata ?? {}).map(([key, value]): MetadataEntry => ({ key, value })),
    effectiveAt: input.effectiveAt ?? undefined,
    expiresAt: input.expiresAt ?? undefined,
  };
}

/**
 * Refuses what the wire could not carry as it was written; all else is the service's to judge.
 * @throws AppError INVALID_ARGUMENT with every fault
 */
export function checkInput(input: { metadata?: unknown }): void {
  const { metadata, ...rest } = input;
  const problems = [
    ...Object.entries(rest).flatMap(([name, value]) => halves(value, [name])),
    ...metadataFaults(metadata),
  ];
  if (problems.length > 0) throw new AppError('INVALID_ARGUMENT', problems);
}

/** protobuf would put U+FFFD in the place of half a surrogate pair: other data than was meant. */
function halves(value: unknown, path: string[]): Problem[] {
  if (Array.isArray(value)) return value.flatMap((each, index) => halves(each, [...path, String(index)]));
  if (typeof value !== 'string' || !/\p{Surrogate}/u.test(value)) return [];
  const message = `${path.join('.')} has half of a surrogate pair. Send well-formed Unicode.`;
  return [{ code: 'INVALID_UNICODE', message, path }];
}

function metadataFaults(metadata: unknown): Problem[] {
  if (metadata === undefined || metadata === null) return [];
  if (typeof metadata !== 'object' || Array.isArray(metadata)) {
    return [{ code: 'INVALID_ARGUMENT', message: 'metadata must be a JSON object.', path: ['metadata'] }];
  }
  return Object.entries(metadata).flatMap(([key, value]) => {
    const path = ['metadata', key];
    // A nested value could be deeper than a message may be; JSON's 1e999 is no number that comes back.
    if (typeof value === 'object' ? value !== null : typeof value === 'number' && !Number.isFinite(value)) {
      const message = `metadata.${key} must be a string, a number, true, false or null.`;
      return [{ code: 'INVALID_ARGUMENT', message, path }];
    }
    return [...halves(key, path), ...halves(value, path)];
  });
}
