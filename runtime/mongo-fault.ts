import {
  MongoBulkWriteError,
  MongoError,
  MongoNetworkError,
  MongoOperationTimeoutError,
  MongoServerError,
  MongoServerSelectionError,
} from 'mongodb';
import { type AppError, unavailable } from './app-error.js';

/** Whether an error of the driver has a label, whatever wraps it. */
export function hasLabel(thrown: unknown, label: string): boolean {
  const error = underlying(thrown);
  return error instanceof MongoError && error.hasErrorLabel(label);
}

/** Whether an error of a transaction says that nothing of it was committed: otherwise nobody knows. */
export function wasRolledBack(error: unknown): boolean {
  if (hasLabel(error, 'UnknownTransactionCommitResult')) return false;
  return duplicateKey(error) !== undefined || hasLabel(error, 'TransientTransactionError');
}

/** A bulk write wraps whatever befell it, a lost connection too, and drops its labels. */
function underlying(error: unknown): unknown {
  return error instanceof MongoServerError && error.errorResponse instanceof MongoError ? error.errorResponse : error;
}

/** UNAVAILABLE for a database that did not answer, did not confirm or was busy; undefined for any other error. */
export function mongoFault(thrown: unknown): AppError | undefined {
  const error = underlying(thrown);
  const unreachable =
    error instanceof MongoServerSelectionError ||
    error instanceof MongoNetworkError ||
    error instanceof MongoOperationTimeoutError ||
    (error instanceof MongoError &&
      (error.hasErrorLabel('TransientTransactionError') ||
        error.hasErrorLabel('UnknownTransactionCommitResult') ||
        error.hasErrorLabel('RetryableWriteError') ||
        LOST_CONNECTION.has(error.name))) ||
    (error instanceof MongoServerError && RETRYABLE_CODES.has(Number(error.code)));
  return unreachable ? unavailable('The database', error) : undefined;
}

/** The driver's own errors, by the names under which it doesn't export them all. */
const LOST_CONNECTION = new Set([
  'MongoNotConnectedError',
  'MongoPoolClearedError',
  'MongoPoolClosedError',
  'MongoTopologyClosedError',
  'MongoWaitQueueTimeoutError',
]);

/**
 * A server that is busy or leaves: MaxTimeMSExpired, WriteConcernFailed (wtimeout), NetworkTimeout, ShutdownInProgress,
 * PrimarySteppedDown, ExceededTimeLimit, NotWritablePrimary, InterruptedAtShutdown, InterruptedDueToReplStateChange,
 * NotPrimaryNoSecondaryOk, NotPrimaryOrSecondary.
 */
const RETRYABLE_CODES = new Set([50, 64, 89, 91, 189, 262, 10107, 11600, 11602, 13435, 13436]);

/** Index and first value of the unique key that a write met ('' when it is no text); undefined for any other error. */
export function duplicateKey(error: unknown): { index: string; value: string } | undefined {
  if (!(error instanceof MongoServerError) || error.code !== 11000) return undefined;
  const [, index = '', field = ''] = /index: (\S+) .*?dup key: \{ ([^:]+):/.exec(error.message) ?? [];
  // The message has the value too, but does not escape it. A bulk write keeps the document instead of the key.
  const key = error instanceof MongoBulkWriteError ? [error.writeErrors].flat()[0]?.getOperation() : error.keyValue;
  const value = key?.[field];
  return { index, value: typeof value === 'string' ? value : '' };
}
