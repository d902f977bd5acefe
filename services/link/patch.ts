import { isDeepStrictEqual } from 'node:util';
import type { UpdateLinkRequest } from '../../gen/proto/waypost/link/v1/link_service.js';
import type { FieldReader, PlainFields } from './fields.js';
import type { Link } from './link.js';

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

/** The masked fields as the request has them, with every problem noted in `reader`: one that is absent is cleared. */
export function applyFields(before: Link, request: UpdateLinkRequest, reader: FieldReader, now: Date): Link {
  const read = reader.read(request.fields ?? { tags: [], metadata: [] });
  const after: Link = { ...before };
  for (const name of request.mask ?? []) {
    const field = MASKED[name];
    if (field && read[field] !== undefined) Object.assign(after, { [field]: read[field] });
    // Deleted, not set to undefined: clearing what was not there changes nothing.
    else if (field) delete (after as Partial<Link>)[field];
    else if (name !== 'target_url') reader.fault('INVALID_ARGUMENT', `${name} is not a field of a link.`, ['mask']);
  }
  reader.checkDates(after);
  if (request.mask?.includes('expires_at')) reader.checkNotPast(after.expiresAt, now);
  return after;
}

/** Whether a caller would see a difference. */
export function differs(before: Link, after: Link): boolean {
  return !isDeepStrictEqual(after, before);
}
