import { isDeepStrictEqual } from 'node:util';
import type { UpdateLinkRequest } from '../../gen/proto/waypost/link/v1/link_service.js';
import { AppError } from '../../runtime/app-error.js';
import { FieldReader, type PlainFields } from './fields.js';
import type { Link, Target } from './link.js';

/** Names in a mask, with the field of a link that each sets. */
const MASKED: Record<string, keyof PlainFields> = {
  title: 'title',
  note: 'note',
  external_id: 'externalId',
  tags: 'tags',
  metadata: 'metadata',
  effective_at: 'effectiveAt',
  expires_at: 'expiresAt',
};

/**
 * The link with the masked fields as the request has them: one that is masked and absent is cleared.
 * @throws AppError with every problem of the new values
 */
export function applyFields(before: Link, request: UpdateLinkRequest, target: Target | undefined): Link {
  const reader = new FieldReader();
  const read = reader.read(request.fields ?? { tags: [], metadata: [] });
  const after: Link = { ...before, target: target ?? before.target };
  for (const name of request.mask ?? []) {
    const field = MASKED[name];
    if (field) Object.assign(after, { [field]: read[field] });
    else if (name !== 'target_url') reader.fault('INVALID_ARGUMENT', `${name} is not a field of a link.`, ['mask']);
  }
  reader.checkDates(after);
  if (reader.problems.length > 0) throw new AppError('INVALID_ARGUMENT', reader.problems);
  return after;
}

/** Whether a caller would see a difference. */
export function differs(before: Link, after: Link): boolean {
  return !isDeepStrictEqual(after, before);
}
