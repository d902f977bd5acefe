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

/** An error as the server's callback takes it, with every problem in the trailer that all gRPC clients decode. */
export function toGrpcError(error: AppError): Partial<ServiceError> {
  const code = GRPC_STATUS[error.kind];
  const details = error.problems.map((problem) => ({
    typeUrl: ERROR_INFO_URL,
    value: Buffer.from(ErrorInfo.encode(toErrorInfo(problem)).finish()),
  }));
  const metadata = new Metadata();
  metadata.set(DETAILS_KEY, Buffer.from(Status.encode({ code, message: error.message, details }).finish()));
  return { code, details: error.message, metadata };
}

/** Rebuilds the AppError of the server. What carries none (a lost connection, a deadline) becomes one. */
export function fromGrpcError(error: ServiceError, service: string): AppError {
  const trailer = error.metadata?.get(DETAILS_KEY)[0];
  const kind = kindOf(error.code);
  if (trailer instanceof Buffer) {
    const problems = Status.decode(trailer)
      .details.filter((detail) => detail.typeUrl === ERROR_INFO_URL)
      .map((detail) => fromErrorInfo(ErrorInfo.decode(detail.value)));
    if (problems.length > 0) return new AppError(kind, problems, { cause: error });
  }
  // Text of a peer's library never reaches a caller; it stays in `cause` for the log.
  const message = kind === 'DEADLINE_EXCEEDED' ? `${service} did not answer in time.` : `${service} can't be reached.`;
  return new AppError(kind, { code: kind, message }, { cause: error });
}

function kindOf(code: status): ErrorKind {
  const found = (Object.keys(GRPC_STATUS) as ErrorKind[]).find((kind) => GRPC_STATUS[kind] === code);
  if (found) return found;
  return code === status.CANCELLED ? 'DEADLINE_EXCEEDED' : 'INTERNAL';
}

function toErrorInfo(problem: Problem): ErrorInfo {
  const metadata: Record<string, string> = { message: problem.message };
  if (problem.path) metadata.path = JSON.stringify(problem.path);
  if (problem.details) metadata.details = JSON.stringify(problem.details);
  return { reason: problem.code, domain: DOMAIN, metadata };
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
