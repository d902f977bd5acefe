import { AppError } from '../../runtime/app-error.js';
import type { Link } from './link.js';

/** @throws AppError VERSION_MISMATCH */
export function checkVersion(link: Link, expected: number): void {
  if (link.version === expected) return;
  throw new AppError('CONFLICT', {
    code: 'VERSION_MISMATCH',
    message: `The link is at version ${link.version}, not ${expected}. Read it again; nothing was changed.`,
    path: ['expectedVersion'],
    details: { currentVersion: link.version },
  });
}

export function codeTaken(shortCode: string): AppError {
  const message = `The short code "${shortCode}" is in use in this group.`;
  return new AppError('CONFLICT', { code: 'CODE_TAKEN', message, path: ['shortCode'] });
}

export function externalIdTaken(): AppError {
  const message = 'Another link of this tenant has this externalId.';
  return new AppError('CONFLICT', { code: 'EXTERNAL_ID_TAKEN', message, path: ['externalId'] });
}

export function busy(): AppError {
  const message = 'The link is being changed by others. Try again.';
  return new AppError('UNAVAILABLE', { code: 'UNAVAILABLE', message });
}

export function notFound(): AppError {
  const message = 'There is no such link in your tenant.';
  return new AppError('NOT_FOUND', { code: 'NOT_FOUND', message, path: ['id'] });
}

export function codesExhausted(): AppError {
  const message = 'No free short code was found. Try again.';
  return new AppError('UNAVAILABLE', { code: 'CODES_EXHAUSTED', message });
}

export function immutable(redirectType: number): AppError {
  const message = `A link with redirect type ${redirectType} keeps its target. Make a new link instead.`;
  return new AppError('INVALID_ARGUMENT', { code: 'LINK_IMMUTABLE', message, path: ['targetUrl'] });
}
