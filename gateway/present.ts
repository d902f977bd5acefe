/** proto3 has no required messages; the absence of one that must be there is a fault of the service. @throws Error */
export function present<T>(message: T | undefined): T {
  if (message === undefined) throw new Error('an answer of a service without a part that it must have');
  return message;
}
