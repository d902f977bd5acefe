import { Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { ErrorInfo, Status } from '../gen/proto/google/rpc/status.js';
import { AppError, type ErrorKind, type Problem } from './app-error.js';

/** Translation table 1 of 3: gRPC status (and back). */
const GRPC_STATUS: Record<ErrorKind, status> = {
  INVALID_ARGUMENT: status.INVALID_ARGUMENT,
  UNAUTHENTICATED: status.UNAUTHENTICATED,
  FORBIDDEN: status.PERMISSION_DENIED,
  NOT_FOUND: status.NOT_FOUND,
  CONFLICT: status.ALREADY_EXISTS,
  RESOURCE_EXHAUSTED: status.RESOURCE_EXHAUSTED,
  UNAVAILABLE: status.UNAVAILABLE,
  DEADLINE_EXCEEDED: status.DEADLINE_EXCEEDED,
  INTERNAL: status.INTERNAL,
};

const DETAILS_KEY = 'grpc-status-details-bin';
const ERROR_INFO_URL = 'type.googleapis.com/google.rpc.ErrorInfo';
const DOMAIN = 'waypost';

/**
 * What a trailer may hold. A peer drops a response whose headers pass 64 KB without a word, and the caller would wait for
 * its deadline; texts that repeat what was sent, a key of 100 KB in a path, could pass that.
 */
const TRAILER_BYTES = 24 * 1024;
const TEXT_CHARACTERS = 500;
const PATH_PART_CHARACTERS = 100;
const STATUS_CHARACTERS = 200;
const DETAILS_CHARACTERS = 4_000;

/** An error as the server's callback takes it, with its problems in the trailer that all gRPC clients decode. */
export function toGrpcError(error: AppError): Partial<ServiceError> {
  const code = GRPC_STATUS[error.kind];
  const message = shortened(error.message, STATUS_CHARACTERS);
  let bytes = 0;
  const details = error.problems
    .map((problem) => Buffer.from(ErrorInfo.encode(toErrorInfo(problem)).finish()))
    .filter((value, index) => {
      bytes += value.length;
      return index === 0 || bytes <= TRAILER_BYTES;
    })
    .map((value) => ({ typeUrl: ERROR_INFO_URL, value }));
  const metadata = new Metadata();
  metadata.set(DETAILS_KEY, Buffer.from(Status.encode({ code, message, details }).finish()));
  return { code, details: message, metadata };
}

/** Rebuilds the AppError of the server. What carries none (a lost connection, a deadline) becomes one. */
export function fromGrpcError(error: ServiceError, service: string): AppError {
  const trailer = error.metadata?.get(DETAILS_KEY)[0];
  const problems = trailer instanceof Buffer ? readProblems(trailer) : [];
  if (problems.length > 0) return new AppError(kindOf(error.code), problems, { cause: error });
  // Text of a peer's library never reaches a caller; it stays in `cause` for the log.
  const { kind, message } = withoutTrailer(error.code, service);
  return new AppError(kind, { code: kind, message }, { cause: error });
}

/** Whether a call did not reach its service, or lost it: what the service itself says comes with a trailer. */
export function isLostConnection(error: unknown): boolean {
  if (!(error instanceof AppError) || error.kind !== 'UNAVAILABLE') return false;
  const cause = error.cause as Partial<ServiceError> | undefined;
  return !cause?.metadata?.get(DETAILS_KEY).length;
}

/** None when the trailer can't be read: what a peer sends must not end this process. */
function readProblems(trailer: Buffer): Problem[] {
  try {
    return Status.decode(trailer)
      .details.filter((detail) => detail.typeUrl === ERROR_INFO_URL)
      .map((detail) => fromErrorInfo(ErrorInfo.decode(detail.value)));
  } catch {
    return [];
  }
}

function kindOf(code: status): ErrorKind {
  return (Object.keys(GRPC_STATUS) as ErrorKind[]).find((kind) => GRPC_STATUS[kind] === code) ?? 'INTERNAL';
}

/**
 * Statuses that gRPC itself gives. All but lost connections and deadlines are faults of ours, not the caller's: a message
 * over the limit (RESOURCE_EXHAUSTED), one that can't be read (INTERNAL), a method of another build (UNIMPLEMENTED).
 */
function withoutTrailer(code: status, service: string): { kind: ErrorKind; message: string } {
  switch (code) {
    case status.UNAVAILABLE:
      return { kind: 'UNAVAILABLE', message: `${service} can't be reached.` };
    case status.DEADLINE_EXCEEDED:
    case status.CANCELLED:
      return { kind: 'DEADLINE_EXCEEDED', message: `${service} did not answer in time.` };
    default:
      return { kind: 'INTERNAL', message: `${service} failed.` };
  }
}

function toErrorInfo(problem: Problem): ErrorInfo {
  const metadata: Record<string, string> = { message: shortened(problem.message, TEXT_CHARACTERS) };
  const path = problem.path?.map((part) => shortened(part, PATH_PART_CHARACTERS));
  if (path) metadata.path = JSON.stringify(path);
  const details = problem.details && asJson(problem.details);
  if (details) metadata.details = details;
  return { reason: problem.code, domain: DOMAIN, metadata };
}

/** Undefined for what is too long, or can't be written: the problem itself still reaches the caller. */
function asJson(details: Record<string, unknown>): string | undefined {
  try {
    const text = JSON.stringify(details);
    return text.length <= DETAILS_CHARACTERS ? text : undefined;
  } catch {
    return undefined;
  }
}

/** Never ends in half a surrogate pair. */
function shortened(text: string, characters: number): string {
  return text.length <= characters ? text : `${text.slice(0, characters - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

function fromErrorInfo(info: ErrorInfo): Problem {
  const { message, path, details } = info.metadata;
  return {
    code: info.reason,
    message: message ?? info.reason,
    ...(path ? { path: JSON.parse(path) as string[] } : {}),
    ...(details ? { details: JSON.parse(details) as Record<string, unknown> } : {}),
  };
}
