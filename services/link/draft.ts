import type { CreateLinkRequest } from '../../gen/proto/waypost/link/v1/link_service.js';
import { customCodeFault } from '../../model/code.js';
import { isRedirectType, type RedirectType } from '../../model/snapshot.js';
import { AppError, isAppError, type Problem } from '../../runtime/app-error.js';
import type { Caller } from '../../runtime/rpc-context.js';
import type { Directory, Group } from './directory.js';
import { FieldReader, type PlainFields } from './fields.js';
import type { Target } from './link.js';
import type { Targets } from './targets.js';

const DEFAULT_TYPE = 302;

/** A request to make a link, read and found good. */
export interface Draft {
  fields: PlainFields;
  redirectType: RedirectType;
  /** The code that the caller chose. */
  custom: string | undefined;
  group: Group & { domainId: string; origin: string };
  target: Target;
}

/** @throws AppError with every problem of the request at once */
export async function readDraft(
  request: CreateLinkRequest,
  { directory, targets }: { directory: Directory; targets: Targets },
  caller: Caller,
  now: Date,
): Promise<Draft> {
  const reader = new FieldReader();
  const fields = reader.read(request.fields ?? { tags: [], metadata: [] });
  reader.checkDates(fields);
  reader.checkNotPast(fields.expiresAt, now);
  const redirectType = readRedirectType(request.redirectType, reader);
  const custom = readCustomCode(request.shortCode, reader);
  const [group, target] = await gather<[Draft['group'], Target]>(
    [directory.group(request.domainGroup, caller), targets.judge(request.fields?.targetUrl ?? '', caller)],
    reader.problems,
  );
  return { fields, redirectType, custom, group, target };
}

/** All results, or every problem of any together with those found before. */
export async function gather<T extends readonly unknown[]>(
  work: { [K in keyof T]: Promise<T[K]> },
  problems: readonly Problem[],
): Promise<T> {
  const results = await Promise.allSettled(work as readonly Promise<unknown>[]);
  const failed = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
  const fatal = failed.find((error) => !isAppError(error, 'INVALID_ARGUMENT'));
  if (fatal) throw fatal;
  const all = [...problems, ...failed.flatMap((error) => (error as AppError).problems)];
  if (all.length > 0) throw new AppError('INVALID_ARGUMENT', all);
  return results.map((result) => (result as PromiseFulfilledResult<unknown>).value) as unknown as T;
}

function readRedirectType(value: number | undefined, reader: FieldReader): RedirectType {
  const type = value ?? DEFAULT_TYPE;
  if (isRedirectType(type)) return type;
  reader.fault('REDIRECT_TYPE_INVALID', 'redirectType must be 301, 302, 307 or 308.', ['redirectType']);
  return DEFAULT_TYPE;
}

function readCustomCode(code: string | undefined, reader: FieldReader): string | undefined {
  const fault = code === undefined ? undefined : customCodeFault(code);
  if (fault) reader.fault(fault.code, fault.message, ['shortCode']);
  return code;
}
