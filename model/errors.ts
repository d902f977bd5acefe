/**
 * Every code that a caller can meet, with what it means and what to do; docs/errors.md is made from this. A code is
 * never renamed. `kind` is the one that its AppErrors have, which decides the transport's status; `INVALID_ARGUMENT`, `NOT_FOUND`, `CONFLICT`
 * and `RESOURCE_EXHAUSTED` become `problems` of a mutation, the rest are thrown.
 */
export interface ErrorEntry {
  kind:
    | 'INVALID_ARGUMENT'
    | 'UNAUTHENTICATED'
    | 'FORBIDDEN'
    | 'NOT_FOUND'
    | 'CONFLICT'
    | 'RESOURCE_EXHAUSTED'
    | 'UNAVAILABLE'
    | 'DEADLINE_EXCEEDED'
    | 'INTERNAL';
  meaning: string;
  remedy: string;
}

export const ERRORS = {
  UNAUTHENTICATED: {
    kind: 'UNAUTHENTICATED',
    meaning: 'No credential was sent, or it is not valid now.',
    remedy: 'Send `Authorization: Bearer <API key>` with a key of this platform.',
  },
  FORBIDDEN: {
    kind: 'FORBIDDEN',
    meaning: 'The credential is valid but lacks the role or scope for this operation.',
    remedy: 'Use a key with the scope, or ask an owner of the tenant for the role.',
  },
  NOT_FOUND: {
    kind: 'NOT_FOUND',
    meaning: 'There is no such object in your tenant.',
    remedy: 'Check the id. Objects of other tenants give the same answer.',
  },
  INVALID_ARGUMENT: {
    kind: 'INVALID_ARGUMENT',
    meaning: 'A value is outside what its field allows.',
    remedy: 'The message says which values are allowed.',
  },
  UNAVAILABLE: {
    kind: 'UNAVAILABLE',
    meaning: 'A part of the system could not be reached in time. A write may or may not have been made.',
    remedy: 'Try again after a few seconds. With the same `idempotencyKey` a write is made once.',
  },
  DEADLINE_EXCEEDED: {
    kind: 'DEADLINE_EXCEEDED',
    meaning: 'The answer was not ready in time. A write may or may not have been made.',
    remedy: 'Try again. With the same `idempotencyKey` a write is made once.',
  },
  INTERNAL: {
    kind: 'INTERNAL',
    meaning: 'A fault of ours. Nothing of it is shown but an id.',
    remedy: 'Report the `errorId`; the log has the cause under it.',
  },
  URL_BLOCKED: {
    kind: 'INVALID_ARGUMENT',
    meaning: 'The risk check refuses this target.',
    remedy: 'Use another target.',
  },
  INVALID_URL: {
    kind: 'INVALID_ARGUMENT',
    meaning: 'The target is not a URL.',
    remedy: 'Send an absolute URL, for example https://example.com/page.',
  },
  SCHEME_MISSING: {
    kind: 'INVALID_ARGUMENT',
    meaning: 'The target has no scheme.',
    remedy: 'Begin it with https:// or http://.',
  },
  SCHEME_NOT_ALLOWED: {
    kind: 'INVALID_ARGUMENT',
    meaning: 'The scheme of the target is neither http nor https.',
    remedy: 'Use an http or https URL.',
  },
  USERINFO_NOT_ALLOWED: {
    kind: 'INVALID_ARGUMENT',
    meaning: 'The target has a user name or password before its host.',
    remedy: 'Remove everything from after // to @.',
  },
  CONTROL_CHAR: {
    kind: 'INVALID_ARGUMENT',
    meaning: 'The text has a control character (a tab, a line break, NUL …).',
    remedy: 'Remove it, or percent-encode it.',
  },
  INVALID_UNICODE: {
    kind: 'INVALID_ARGUMENT',
    meaning: 'The text has half of a surrogate pair.',
    remedy: 'Send well-formed Unicode.',
  },
  TOO_LONG: {
    kind: 'INVALID_ARGUMENT',
    meaning: 'The text is longer than its limit; for a target 8,000 bytes in canonical form.',
    remedy: 'Shorten it. `details.limit` has the limit.',
  },
  HOST_INVALID: {
    kind: 'INVALID_ARGUMENT',
    meaning: 'The host of the target is not a valid DNS name.',
    remedy: 'Check for empty labels, labels over 63 and names over 253 characters.',
  },
  HOST_NOT_PUBLIC: {
    kind: 'INVALID_ARGUMENT',
    meaning: 'The host of the target has no meaning on the public internet.',
    remedy: 'Use a host that anybody can resolve.',
  },
  PORT_BLOCKED: {
    kind: 'INVALID_ARGUMENT',
    meaning: 'The port of the target is one that browsers refuse or that databases use.',
    remedy: 'Use another port.',
  },
  OWN_DOMAIN: {
    kind: 'INVALID_ARGUMENT',
    meaning: 'The target is on a short domain of this platform: a chain or a loop.',
    remedy: 'Use the final target.',
  },
  NESTED_SHORTENER: {
    kind: 'INVALID_ARGUMENT',
    meaning: 'The target is on another link shortener: a chain that hides where it ends.',
    remedy: 'Use the final target.',
  },
  IDN_MIXED_SCRIPT: {
    kind: 'INVALID_ARGUMENT',
    meaning: 'The host mixes letters of scripts that are not used together.',
    remedy: 'Check the host for look-alike letters.',
  },
  IDN_CONFUSABLE: {
    kind: 'INVALID_ARGUMENT',
    meaning: 'The host looks like another one.',
    remedy: 'Check the host for look-alike letters and signs.',
  },
  IDN_INVISIBLE: {
    kind: 'INVALID_ARGUMENT',
    meaning: 'The host has characters that nobody can see.',
    remedy: 'Type the host again.',
  },
  IP_LOOPBACK: ip('a loopback address'),
  IP_PRIVATE: ip('an address of a private network'),
  IP_LINK_LOCAL: ip('a link-local address'),
  IP_METADATA: ip('the metadata service of a cloud'),
  IP_CGNAT: ip('an address of a carrier network (100.64.0.0/10)'),
  IP_UNSPECIFIED: ip('the unspecified address'),
  IP_MULTICAST: ip('a multicast address'),
  IP_RESERVED: ip('an address that is reserved'),
  IP_OBFUSCATED: ip('an address in a notation that hides it'),
  CODE_TAKEN: {
    kind: 'CONFLICT',
    meaning: 'The short code is in use in this domain group.',
    remedy: 'Choose another code, or leave it out for a random one.',
  },
  CODE_RESERVED: {
    kind: 'INVALID_ARGUMENT',
    meaning: 'The short code is a word that the platform keeps for itself.',
    remedy: 'Choose another code.',
  },
  CODE_INVALID: {
    kind: 'INVALID_ARGUMENT',
    meaning: 'The short code has a wrong length or a character that is not allowed.',
    remedy: 'Use 4 to 32 letters, digits, - and _.',
  },
  CODES_EXHAUSTED: {
    kind: 'UNAVAILABLE',
    meaning: 'No free random code was found within the allowed tries.',
    remedy: 'Try again; an operator should lengthen the codes of this group.',
  },
  EXTERNAL_ID_TAKEN: {
    kind: 'CONFLICT',
    meaning: 'Another link of this tenant has this external id.',
    remedy: 'Use `linkByExternalId` to find it.',
  },
  GROUP_NOT_FOUND: {
    kind: 'INVALID_ARGUMENT',
    meaning: 'The tenant has no domain group of this name.',
    remedy: 'Leave it out for the default group, or use a name that `domainGroups` lists.',
  },
  REDIRECT_TYPE_INVALID: {
    kind: 'INVALID_ARGUMENT',
    meaning: 'The redirect type is not 301, 302, 307 or 308.',
    remedy: 'Use 302 unless the target will never change.',
  },
  LINK_IMMUTABLE: {
    kind: 'INVALID_ARGUMENT',
    meaning: 'A link with redirect type 301 or 308 keeps its target for ever: browsers have stored it.',
    remedy: 'Make a new link.',
  },
  VERSION_MISMATCH: {
    kind: 'CONFLICT',
    meaning: 'The link has changed since the version that you read. Nothing was applied.',
    remedy: 'Read it again; `details.currentVersion` has its version.',
  },
  IDEMPOTENCY_MISMATCH: {
    kind: 'CONFLICT',
    meaning: 'This idempotency key was used for another request in the last 7 days.',
    remedy: 'Use a new key for a new request.',
  },
  DATE_INVALID: {
    kind: 'INVALID_ARGUMENT',
    meaning: 'The text is not an RFC 3339 date and time with a zone.',
    remedy: 'Write it like 2030-01-31T18:00:00Z or 2030-01-31T18:00:00+08:00.',
  },
  DATE_IN_PAST: {
    kind: 'INVALID_ARGUMENT',
    meaning: 'The date has already passed.',
    remedy: 'Use a later one.',
  },
  DATE_ORDER: {
    kind: 'INVALID_ARGUMENT',
    meaning: 'An end comes before its start: a link would expire before it takes effect, or a range is empty.',
    remedy: 'Make `expiresAt` later than `effectiveAt`, and `to` later than `from`.',
  },
  TIME_ZONE_INVALID: {
    kind: 'INVALID_ARGUMENT',
    meaning: 'The text is not the name of a time zone.',
    remedy: 'Use a name of the IANA database, like Asia/Shanghai or UTC.',
  },
  RANGE_TOO_OLD: {
    kind: 'INVALID_ARGUMENT',
    meaning: 'Only roll-ups by the hour are left of a part of the range, and they can not answer exactly.',
    remedy: 'Begin and end at full hours, leave filters out, or use a range of the last 90 days.',
  },
  QUERY_TOO_WIDE: {
    kind: 'INVALID_ARGUMENT',
    meaning: 'The answer would need too many single clicks, or have too many parts.',
    remedy: 'Ask for a shorter range, fewer links, longer parts of a series, or without filters.',
  },
  QUERY_TOO_COMPLEX: {
    kind: 'INVALID_ARGUMENT',
    meaning: 'The GraphQL document is deeper, longer or costlier than allowed.',
    remedy: 'Ask for less in one request; the message names the limit.',
  },
  GRAPHQL_PARSE_FAILED: request('The document is not GraphQL.', 'The message says where it stops making sense.'),
  GRAPHQL_VALIDATION_FAILED: request(
    'The document does not fit the schema.',
    'Compare its fields and arguments with the published schema.',
  ),
  BAD_USER_INPUT: request('A variable or argument does not fit its type.', 'The message names it.'),
  BAD_REQUEST: request(
    'The HTTP request is not one that this server takes.',
    'POST a JSON body with `content-type: application/json`.',
  ),
  OPERATION_RESOLUTION_FAILURE: request(
    'The document has several operations, or none of the name that was asked for.',
    'Send `operationName`.',
  ),
  PERSISTED_QUERY_NOT_SUPPORTED: request('Persisted queries are off.', 'Send the whole document.'),
  PAYLOAD_TOO_LARGE: {
    kind: 'INVALID_ARGUMENT',
    meaning: 'The body of the request is larger than 256 KB.',
    remedy: 'Send less in one request.',
  },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof ERRORS;

function request(meaning: string, remedy: string): { kind: 'INVALID_ARGUMENT'; meaning: string; remedy: string } {
  return { kind: 'INVALID_ARGUMENT', meaning, remedy };
}

function ip(what: string): { kind: 'INVALID_ARGUMENT'; meaning: string; remedy: string } {
  return { kind: 'INVALID_ARGUMENT', meaning: `The host of the target is ${what}.`, remedy: 'Use a public host name.' };
}
