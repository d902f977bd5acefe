import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { Link as LinkMessage, LinkVersion as LinkVersionMessage } from './proto/waypost/link/v1/link_service.js';
import type { DomainGroup as DomainGroupMessage, Domain as DomainMessage, CodePolicy as CodePolicyMessage } from './proto/waypost/domain/v1/domain_service.js';
import type { Tenant as TenantMessage } from './proto/waypost/tenant/v1/tenant_service.js';
import type { AnalyticsPage } from '../gateway/analytics-page.js';
export type Maybe<T> = T | null;
export type InputMaybe<T> = Maybe<T>;
export type Omit<T, K extends keyof T> = Pick<T, Exclude<keyof T, K>>;
export type RequireFields<T, K extends keyof T> = Omit<T, K> & { [P in K]-?: NonNullable<T[P]> };
/** All built-in and custom scalars, mapped to their actual values */
export type Scalars = {
  ID: { input: string; output: string; }
  String: { input: string; output: string; }
  Boolean: { input: boolean; output: boolean; }
  Int: { input: number; output: number; }
  Float: { input: number; output: number; }
  /**
   * An instant. Answers are RFC 3339 in UTC with milliseconds: `2030-01-31T10:00:00.000Z`. Inputs may be any string, so that
   * one bad value never fails a whole request: what is not an RFC 3339 date-time with a zone gets the problem DATE_INVALID.
   */
  DateTime: { input: string; output: Date; }
  /** Any JSON value. Fields and arguments that take it say which shape. */
  JSON: { input: unknown; output: unknown; }
  /** An integer of at most 2^53-1 as a JSON number: counts pass 2^31 within days. */
  SafeInt: { input: number; output: number; }
  /** An IANA time zone, like `Asia/Shanghai`. Problem: TIME_ZONE_INVALID. */
  TimeZone: { input: string; output: string; }
  /**
   * An absolute URL. Answers are in canonical form (WHATWG). Inputs may be any string: what can't be accepted gets a problem
   * with its reason.
   */
  URL: { input: string; output: string; }
};

/** Who made a change. */
export type Actor = {
  __typename?: 'Actor';
  /** Stable; for an API key the id of the key, never the key. */
  id: Scalars['ID']['output'];
  /** What kind of actor this is. */
  kind: ActorKind;
  /** As it was when the change was made; null when there is none. */
  name?: Maybe<Scalars['String']['output']>;
};

/** What kind of actor made a change. */
export type ActorKind =
  /** A machine with an API key. */
  | 'API_KEY'
  /** A person who signed in. */
  | 'MEMBER'
  /** A person of the platform, acting across tenants. */
  | 'OPERATOR'
  /** The platform itself, for example a job. */
  | 'SYSTEM';

/** Statistics of one moment. */
export type Analytics = {
  __typename?: 'Analytics';
  /** Clicks by value. The rows of a page add up to `totals`. */
  breakdown: AnalyticsBreakdown;
  /**
   * The range that it is compared with; null without one. Like every `previous` null as well where only sums by the hour are left
   * of it (before the last 90 days) and it does not begin and end where they do.
   */
  previousTotals?: Maybe<AnalyticsMetrics>;
  /** How far and how exactly the numbers reach. */
  quality: AnalyticsQuality;
  /**
   * The range in parts, in order, those without clicks too. Their clicks add up to `totals`. At most 3,000 parts, else
   * QUERY_TOO_WIDE.
   */
  series: Array<AnalyticsBucket>;
  /** The whole range as one. */
  totals: AnalyticsMetrics;
};


/** Statistics of one moment. */
export type AnalyticsBreakdownArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  by: AnalyticsDimension;
  first?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<AnalyticsRowOrder>;
};


/** Statistics of one moment. */
export type AnalyticsSeriesArgs = {
  granularity: AnalyticsGranularity;
};

/** One page of clicks by value. */
export type AnalyticsBreakdown = {
  __typename?: 'AnalyticsBreakdown';
  /** What is told apart. */
  dimension: AnalyticsDimension;
  /** Different values with clicks in the range, without unknown. */
  distinctValues: Scalars['Int']['output'];
  /** Of the rows with a value. */
  pageInfo: PageInfo;
  /** Values in their order, then UNKNOWN, then OTHER. */
  rows: Array<AnalyticsRow>;
};

/** One part of a series. */
export type AnalyticsBucket = {
  __typename?: 'AnalyticsBucket';
  /** First instant of the next. */
  end: Scalars['DateTime']['output'];
  /** What was counted of it within the range. */
  metrics: AnalyticsMetrics;
  /** Whether the range cuts it, or it is not complete yet. */
  partial: Scalars['Boolean']['output'];
  /** The part with the same index of the range that it is compared with; null as `previousTotals` is. */
  previous?: Maybe<AnalyticsMetrics>;
  /** First instant, by the calendar: that of the first part may lie before the range. */
  start: Scalars['DateTime']['output'];
};

/** What a range is compared with. */
export type AnalyticsComparison =
  /** Nothing. */
  | 'NONE'
  /**
   * The span before: of a calendar preset the same part of the day, month or year before it, of any other range the same
   * length that ends where it begins. ALL has none.
   */
  | 'PREVIOUS_PERIOD'
  /** The same dates a year before. ALL has none. */
  | 'SAME_PERIOD_LAST_YEAR';

/** What clicks can be split and filtered by. */
export type AnalyticsDimension =
  /** Family of the browser or of the app that shows pages itself, like `Chrome` or `WeChat`. */
  | 'BROWSER'
  /**
   * By which kind of way people came: what `utm_source`, `utm_medium` and the click ids of advertising systems in the visit's
   * query say, else the page with the link. Key: DIRECT, REFERRAL, ORGANIC_SEARCH, PAID_SEARCH, ORGANIC_SOCIAL, PAID_SOCIAL,
   * ORGANIC_VIDEO, PAID_VIDEO, ORGANIC_SHOPPING, PAID_SHOPPING, DISPLAY, PAID_OTHER, EMAIL, SMS, PUSH, AFFILIATE, QR or OTHER.
   */
  | 'CHANNEL'
  /** Of the visitor's address. Key: ISO 3166-1 alpha-2, like `CN`. */
  | 'COUNTRY'
  /** Key: IOS, ANDROID, DESKTOP or OTHER. */
  | 'DEVICE'
  /** First language that the visitor prefers, with its region, like `zh-CN`. */
  | 'LANGUAGE'
  /** Key: the link's id. */
  | 'LINK'
  /** Family of the operating system, like `Android`. */
  | 'OS'
  /** Host of the page with the link, without `www.`. */
  | 'REFERRER'
  /** Version of the link whose target was given. Key: its number. */
  | 'TARGET_VERSION'
  /** What made the visit. Key: a TrafficClass. */
  | 'TRAFFIC_CLASS'
  /** How the link was met. Key: LINK, or QR for visits by a QR code of this platform. */
  | 'TRIGGER';

/** A click fits when its value is (is not, contains, begins with) one of `values`. */
export type AnalyticsFilter = {
  /** Which value. */
  dimension: AnalyticsDimension;
  /** How it is compared. */
  operator?: AnalyticsOperator;
  /** 1 to 100; `(unknown)` stands for no value. Problem: INVALID_ARGUMENT. */
  values: Array<Scalars['String']['input']>;
};

/** How long a part of a series is; each begins where the clock or calendar of the time zone begins it. */
export type AnalyticsGranularity =
  /** From midnight, 23 to 25 hours long where clocks change. */
  | 'DAY'
  /** From the full hour. One that a clock change repeats is two parts. */
  | 'HOUR'
  /** From the first instant of the month. */
  | 'MONTH'
  /** From :00, :15, :30 or :45. */
  | 'QUARTER_HOUR'
  /** From the first instant of `weekStart`. */
  | 'WEEK';

/** What was counted. */
export type AnalyticsMetrics = {
  __typename?: 'AnalyticsMetrics';
  /** Visits of the classes of `traffic`, each once. */
  clicks: Scalars['SafeInt']['output'];
  /** Visits of each class that is not in `traffic`: with `clicks` all that were stored. */
  excluded: Array<TrafficClassCount>;
  /**
   * Different people among the clicks. Null where they can be neither counted (up to 100,000 clicks of the last 90 days) nor
   * estimated, for OTHER rows, and for the compared buckets and rows.
   */
  visitors?: Maybe<AnalyticsVisitors>;
};

/** How values of a filter are compared; CONTAINS and STARTS_WITH ignore case. TARGET_VERSION takes IS and IS_NOT alone. */
export type AnalyticsOperator =
  /** One of these is a part of the value. */
  | 'CONTAINS'
  /** The value is one of these. */
  | 'IS'
  /** The value is none of these. */
  | 'IS_NOT'
  /** The value begins with one of these. */
  | 'STARTS_WITH';

/** Named spans. Days, months and years are those of the query's time zone (UTC where it has none). */
export type AnalyticsPreset =
  /** From the first click. */
  | 'ALL'
  /** The last 7 times 24 hours. */
  | 'LAST_7D'
  /** The last 24 hours. */
  | 'LAST_24H'
  /** The last 30 times 24 hours. */
  | 'LAST_30D'
  /** The last 60 minutes. */
  | 'LAST_60_MIN'
  /** The last 90 times 24 hours. */
  | 'LAST_90D'
  /** The whole month before this one. */
  | 'LAST_MONTH'
  /** From the first of this month up to now. */
  | 'THIS_MONTH'
  /** From midnight up to now. */
  | 'TODAY'
  /** The whole day before today. */
  | 'YESTERDAY'
  /** From 1 January up to now. */
  | 'YTD';

/** How far and how exactly numbers reach. */
export type AnalyticsQuality = {
  __typename?: 'AnalyticsQuality';
  /** Every click up to this moment is in the numbers, but for what redirect processes still hold back on their disks. */
  asOf: Scalars['DateTime']['output'];
  /** Clicks of the tenant in the hours of the range that redirect processes had to drop, for want of room while the stream was away. They are in no number. */
  droppedAtEdge: Scalars['SafeInt']['output'];
  /** Whether no count is a lower bound. An hour with more than 200 values of one kind counts some under OTHER; once single clicks are gone they stay there. */
  exact: Scalars['Boolean']['output'];
  /** Seconds from `asOf` to now. */
  lagSeconds: Scalars['Float']['output'];
  /** From here on single clicks are kept. */
  retentionFrom?: Maybe<Scalars['DateTime']['output']>;
  /** Where clicks were counted. */
  source: AnalyticsSource;
  /** Clicks of the range that came more than 90 days late, or from a clock more than an hour ahead. They are in no number. */
  tooLate: Scalars['SafeInt']['output'];
};

/** One question about the tenant or some of its links. */
export type AnalyticsQuery = {
  /** What `previous` is. */
  compare?: InputMaybe<AnalyticsComparison>;
  /** At most 10; a click must fit all. They read single clicks: at most 1,000,000, else QUERY_TOO_WIDE. */
  filters?: InputMaybe<Array<AnalyticsFilter>>;
  /** When. Of the time before the last 90 days only what whole hours tell is left: RANGE_TOO_OLD where that is not enough. */
  range: TimeRangeInput;
  /** Which links; by default all. */
  scope?: InputMaybe<AnalyticsScope>;
  /** Whose days, weeks and months; UTC by default. Problem: TIME_ZONE_INVALID. */
  timeZone?: InputMaybe<Scalars['TimeZone']['input']>;
  /** What counts as a click; the others are in `excluded`. */
  traffic?: InputMaybe<Array<TrafficClass>>;
  /** First day of a week. */
  weekStart?: InputMaybe<Weekday>;
};

/** Clicks of one value. */
export type AnalyticsRow = {
  __typename?: 'AnalyticsRow';
  /** The value; `(unknown)` and `(other)` for those kinds. */
  key: Scalars['String']['output'];
  /** What it stands for. */
  kind: AnalyticsRowKind;
  /** The value for people to read: the name of a country or language, the short URL of a link. */
  label: Scalars['String']['output'];
  /** What was counted of it. */
  metrics: AnalyticsMetrics;
  /** The same value in the range that it is compared with; null as `previousTotals` is. */
  previous?: Maybe<AnalyticsMetrics>;
  /** Its part of all clicks, 0 to 1. */
  share: Scalars['Float']['output'];
};

/** What a row stands for. */
export type AnalyticsRowKind =
  /** All that has no row on this page. */
  | 'OTHER'
  /** Clicks without a value; there whenever there are any. */
  | 'UNKNOWN'
  /** One value. */
  | 'VALUE';

/** Order of the rows of a breakdown. Ties are broken by key. */
export type AnalyticsRowOrder =
  /** Fewest clicks first. */
  | 'CLICKS_ASC'
  /** Most clicks first. */
  | 'CLICKS_DESC'
  /** By key, as its characters are numbered in Unicode. */
  | 'KEY_ASC';

/** Which links; without any field all of the tenant, deleted ones too. */
export type AnalyticsScope = {
  /** 1 to 100. Problems: NOT_FOUND, INVALID_ARGUMENT. */
  linkIds?: InputMaybe<Array<Scalars['ID']['input']>>;
};

/** Where clicks were counted. */
export type AnalyticsSource =
  /** Whole hours from sums, the rest from single clicks. */
  | 'MIXED'
  /** Single clicks. */
  | 'RAW'
  /** Sums that are kept by the hour. */
  | 'ROLLUP';

/**
 * People are told apart by a keyed hash whose key lives for one UTC day: those of two days can't be compared, so over several
 * days the numbers of the days are added. Who sends `Sec-GPC: 1` or `DNT: 1` is a click but no visitor.
 */
export type AnalyticsVisitors = {
  __typename?: 'AnalyticsVisitors';
  /** How they were told apart. */
  method: VisitorMethod;
  /** Standard error as a part of the value; null when it is exact. */
  relativeError?: Maybe<Scalars['Float']['output']>;
  /** How many. */
  value: Scalars['SafeInt']['output'];
};

/** Which way a change came in. */
export type ChangeSource =
  /** A call of this API. */
  | 'API'
  /** The console. */
  | 'CONSOLE'
  /** An import. */
  | 'IMPORT'
  /** A job of the platform, for example an expiry. */
  | 'JOB'
  /** A new verdict of the risk check. */
  | 'RISK';

/** Confirmed clicks of the range and the moment up to which they are complete. */
export type ClickTotals = {
  __typename?: 'ClickTotals';
  /** Every click up to this moment is in the numbers. */
  asOf: Scalars['DateTime']['output'];
  /** By robots and the previews of messengers, and without a user agent. */
  bot: Scalars['SafeInt']['output'];
  /** By people, as far as their user agent tells. */
  human: Scalars['SafeInt']['output'];
  /** `human` + `bot`. Neither HEAD requests nor prefetches are clicks. */
  total: Scalars['SafeInt']['output'];
  /** Different visitors among `human`, summed over days; null where it can't be counted exactly. */
  unique?: Maybe<Scalars['SafeInt']['output']>;
};

/** Rules for the codes of a group's links. */
export type CodePolicy = {
  __typename?: 'CodePolicy';
  /** True: `aB3x` and `ab3x` are two codes. False: they are one, stored in lower case. */
  caseSensitive: Scalars['Boolean']['output'];
  /** Characters of a code that is generated, 7 to 12. */
  codeLength: Scalars['Int']['output'];
};

/** What to make a link of. */
export type CreateLinkInput = {
  /** Name of a domain group; the tenant's default group when absent. Problem: GROUP_NOT_FOUND. */
  domainGroup?: InputMaybe<Scalars['String']['input']>;
  /** Does not redirect before; at once when absent. Problem: DATE_INVALID. */
  effectiveAt?: InputMaybe<Scalars['DateTime']['input']>;
  /** Does not redirect from then on; never ends when absent. Problems: DATE_INVALID, DATE_IN_PAST, DATE_ORDER. */
  expiresAt?: InputMaybe<Scalars['DateTime']['input']>;
  /** At most 200 characters, unique in the tenant. Problems: EXTERNAL_ID_TAKEN, TOO_LONG, CONTROL_CHAR, INVALID_ARGUMENT. */
  externalId?: InputMaybe<Scalars['String']['input']>;
  /**
   * Any string of the caller's choice, at most 255 characters (problem: TOO_LONG). Within 7 days a second request with the same key and input makes nothing and answers
   * the same link with `replayed: true`; with another input it gets the problem IDEMPOTENCY_MISMATCH.
   */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  /**
   * An object with at most 50 keys of 1 to 64 characters; values are strings of at most 1,000 characters, numbers, booleans
   * or null; at most 8,000 characters in all. Problems: INVALID_ARGUMENT, TOO_LONG, CONTROL_CHAR.
   */
  metadata?: InputMaybe<Scalars['JSON']['input']>;
  /** At most 2,000 characters; may have line breaks. Problems: TOO_LONG, CONTROL_CHAR. */
  note?: InputMaybe<Scalars['String']['input']>;
  /** 301, 302, 307 or 308. 301 and 308 can't be undone: browsers store them. Problem: REDIRECT_TYPE_INVALID. */
  redirectType?: InputMaybe<Scalars['Int']['input']>;
  /**
   * 4 to 32 letters, digits, `-` and `_`; random, of the group's length, when absent. Problems: CODE_INVALID, CODE_RESERVED,
   * CODE_TAKEN.
   */
  shortCode?: InputMaybe<Scalars['String']['input']>;
  /** At most 50, each 1 to 100 characters; doubles count once. Problems: TOO_LONG, CONTROL_CHAR, INVALID_ARGUMENT. */
  tags?: InputMaybe<Array<Scalars['String']['input']>>;
  /**
   * Where visitors are sent: http or https, at most 8,000 bytes in canonical form, which is stored. Problems: INVALID_URL,
   * SCHEME_MISSING, SCHEME_NOT_ALLOWED, USERINFO_NOT_ALLOWED, CONTROL_CHAR, INVALID_UNICODE, TOO_LONG, HOST_INVALID,
   * HOST_NOT_PUBLIC, PORT_BLOCKED, OWN_DOMAIN, NESTED_SHORTENER, IDN_MIXED_SCRIPT, IDN_CONFUSABLE, IDN_INVISIBLE, IP_LOOPBACK,
   * IP_PRIVATE, IP_LINK_LOCAL, IP_METADATA, IP_CGNAT, IP_UNSPECIFIED, IP_MULTICAST, IP_RESERVED, IP_OBFUSCATED, URL_BLOCKED.
   */
  targetUrl: Scalars['URL']['input'];
  /** At most 500 characters. Problems: TOO_LONG, CONTROL_CHAR. */
  title?: InputMaybe<Scalars['String']['input']>;
};

/** A host that short URLs are served on. */
export type Domain = Node & {
  __typename?: 'Domain';
  /** The same as people write it: `bücher.example`. */
  displayName: Scalars['String']['output'];
  /** In ASCII (A-labels), lower case, without a port: `xn--bcher-kva.example`. */
  hostname: Scalars['String']['output'];
  /** Begins with `dom_`. */
  id: Scalars['ID']['output'];
  /** Whose domain it is. */
  kind: DomainKind;
  /** Where it stands in its life. */
  state: DomainState;
  /** When it came into this state. */
  stateSince: Scalars['DateTime']['output'];
};

/**
 * Short domains that share one space of codes: a code means the same link on each of them. A link belongs to one group for
 * ever, so the domain that it is shown with can change without breaking what was printed.
 */
export type DomainGroup = Node & {
  __typename?: 'DomainGroup';
  /** Rules for the codes of its links, fixed when the group is made. */
  codePolicy: CodePolicy;
  /** Begins with `grp_`. */
  id: Scalars['ID']['output'];
  /** Unique in the tenant; what `CreateLinkInput.domainGroup` takes. */
  name: Scalars['String']['output'];
  /** The domain that new links are shown with; null while the group has none in state ACTIVE. */
  recommendedDomain?: Maybe<Domain>;
  /** Grows by one with each change of the group. */
  version: Scalars['Int']['output'];
};

/** A page of domain groups. */
export type DomainGroupConnection = {
  __typename?: 'DomainGroupConnection';
  /** The groups with their cursors. */
  edges: Array<DomainGroupEdge>;
  /** The groups alone. */
  nodes: Array<DomainGroup>;
  /** Where this page stands. */
  pageInfo: PageInfo;
};

/** A group in a list. */
export type DomainGroupEdge = {
  __typename?: 'DomainGroupEdge';
  /** For `after`; opaque. */
  cursor: Scalars['String']['output'];
  /** The group. */
  node: DomainGroup;
};

/** Whose domain it is. */
export type DomainKind =
  /** The platform's own, for one line of business. */
  | 'BUSINESS'
  /** Brought by a tenant. */
  | 'CUSTOM'
  /** The platform's own, shared by tenants. */
  | 'PLATFORM';

/** Where a domain stands in its life. New values will appear: keep a default branch. */
export type DomainState =
  /** Serves its links. */
  | 'ACTIVE';

/** A short URL and what it leads to. */
export type Link = Node & {
  __typename?: 'Link';
  /** Its statistics; see `Query.analytics`. Costs 100. */
  analytics?: Maybe<Analytics>;
  /** Its clicks; null with an entry in `errors` while statistics can't be read. */
  clicks?: Maybe<ClickTotals>;
  /** When it was made. */
  createdAt: Scalars['DateTime']['output'];
  /** Who made it. */
  createdBy: Actor;
  /** The group whose codes it is one of; fixed. Null with an entry in `errors` while that can't be looked up. */
  domainGroup?: Maybe<DomainGroup>;
  /** Does not redirect before; null for at once. */
  effectiveAt?: Maybe<Scalars['DateTime']['output']>;
  /** Does not redirect from then on; null for never. */
  expiresAt?: Maybe<Scalars['DateTime']['output']>;
  /** The caller's own id, at most 200 characters, unique in the tenant. */
  externalId?: Maybe<Scalars['String']['output']>;
  /** Begins with `lnk_`. */
  id: Scalars['ID']['output'];
  /** An object with at most 50 keys and 8,000 characters; values are strings, numbers, booleans or null. */
  metadata: Scalars['JSON']['output'];
  /** For people, at most 2,000 characters; visitors never see it. */
  note?: Maybe<Scalars['String']['output']>;
  /** 301, 302, 307 or 308. 301 and 308 fix `targetUrl` for ever: browsers store it. */
  redirectType: Scalars['Int']['output'];
  /** What the risk check says of `targetUrl`. */
  risk: RiskVerdict;
  /** The last part of the short URL, as it is compared: in a group that ignores case, in lower case. */
  shortCode: Scalars['String']['output'];
  /** What to share: the code on the domain that the link is shown with. */
  shortUrl: Scalars['URL']['output'];
  /** Whether it redirects now. */
  status: LinkStatus;
  /** At most 50, each at most 100 characters, without doubles, in the order given. */
  tags: Array<Scalars['String']['output']>;
  /** Where a visitor is sent: the canonical form of what was given. */
  targetUrl: Scalars['URL']['output'];
  /** For people, at most 500 characters; visitors never see it. */
  title?: Maybe<Scalars['String']['output']>;
  /** When a caller last changed it. */
  updatedAt: Scalars['DateTime']['output'];
  /** Who last changed it. */
  updatedBy: Actor;
  /** The lock: grows by one with every effective change by a caller, and begins at 1. `versions` lists those that the redirect can see. */
  version: Scalars['Int']['output'];
  /** Its history, newest first. Costs 400 besides its parts: with the default page of links, 5 versions of each fit. */
  versions?: Maybe<LinkVersionConnection>;
};


/** A short URL and what it leads to. */
export type LinkAnalyticsArgs = {
  query: LinkAnalyticsQuery;
};


/** A short URL and what it leads to. */
export type LinkClicksArgs = {
  range?: InputMaybe<TimeRangeInput>;
};


/** A short URL and what it leads to. */
export type LinkVersionsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
};

/** Which link to act on. */
export type LinkActionInput = {
  /** When given, the link must stand at it, else the problem VERSION_MISMATCH; when absent, the action holds for whatever version stands. */
  expectedVersion?: InputMaybe<Scalars['Int']['input']>;
  /** Problem: NOT_FOUND. */
  id: Scalars['ID']['input'];
  /** Why, for the history; at most 500 characters. Problem: TOO_LONG. */
  reason?: InputMaybe<Scalars['String']['input']>;
};

/** One question about one link. */
export type LinkAnalyticsQuery = {
  /** What `previous` is. */
  compare?: InputMaybe<AnalyticsComparison>;
  /** At most 10; a click must fit all. They read single clicks: at most 1,000,000, else QUERY_TOO_WIDE. */
  filters?: InputMaybe<Array<AnalyticsFilter>>;
  /** When. Of the time before the last 90 days only what whole hours tell is left: RANGE_TOO_OLD where that is not enough. */
  range: TimeRangeInput;
  /** Whose days, weeks and months; UTC by default. Problem: TIME_ZONE_INVALID. */
  timeZone?: InputMaybe<Scalars['TimeZone']['input']>;
  /** What counts as a click; the others are in `excluded`. */
  traffic?: InputMaybe<Array<TrafficClass>>;
  /** First day of a week. */
  weekStart?: InputMaybe<Weekday>;
};

/** A page of links. */
export type LinkConnection = {
  __typename?: 'LinkConnection';
  /** The links with their cursors. */
  edges: Array<LinkEdge>;
  /** The links alone. */
  nodes: Array<Link>;
  /** Where this page stands. */
  pageInfo: PageInfo;
  /** Links in the whole list; counted only when asked for. Costs 20. */
  totalCount?: Maybe<Scalars['SafeInt']['output']>;
};

/** A link in a list. */
export type LinkEdge = {
  __typename?: 'LinkEdge';
  /** For `after`; opaque, and good for lists of the same order only. */
  cursor: Scalars['String']['output'];
  /** The link. */
  node: Link;
};

/** Order of a list of links. */
export type LinkOrder =
  /** Oldest first. */
  | 'CREATED_ASC'
  /** Newest first. */
  | 'CREATED_DESC'
  /** Last changed first. A link that is changed meanwhile moves to the front and is not met again on later pages. */
  | 'UPDATED_DESC';

/** Outcome of a mutation of one link. */
export type LinkPayload = {
  __typename?: 'LinkPayload';
  /** The link as it stands; null with problems. */
  link?: Maybe<Link>;
  /** Empty when the mutation has succeeded; else all that was found, so that a form can show everything at once. */
  problems: Array<Problem>;
  /** True when this is the answer to an earlier request with the same idempotency key, which made the change. */
  replayed: Scalars['Boolean']['output'];
};

/**
 * Whether a link redirects now. Where several hold, the one shown is the first of: BLOCKED, PENDING_REVIEW, DISABLED,
 * EXPIRED, SCHEDULED, ACTIVE. New values will appear: keep a default branch.
 */
export type LinkStatus =
  /** Redirects. */
  | 'ACTIVE'
  /** The risk check refuses its target: visitors get 403 and a page that says so. */
  | 'BLOCKED'
  /** Switched off by `disableLink`: visitors get 404. */
  | 'DISABLED'
  /** `expiresAt` has passed: visitors get 410. */
  | 'EXPIRED'
  /** Its target waits for the risk check or a reviewer: visitors get 404. */
  | 'PENDING_REVIEW'
  /** `effectiveAt` has not come: visitors get 404. */
  | 'SCHEDULED';

/** What the redirect saw of a link from one effective change to the next. Only the verdict of a target that was still to be judged is filled in later. */
export type LinkVersion = Node & {
  __typename?: 'LinkVersion';
  /** Who made the change. */
  actor: Actor;
  /** Where the change was made from; null when no client made it. */
  clientIp?: Maybe<Scalars['String']['output']>;
  /** When the change was made. */
  createdAt: Scalars['DateTime']['output'];
  /** `<id of the link>.v<version>`. */
  id: Scalars['ID']['output'];
  /** Where the version before sent them; null for the first version. */
  previousTargetUrl?: Maybe<Scalars['URL']['output']>;
  /** As the caller gave it. */
  reason?: Maybe<Scalars['String']['output']>;
  /** What the risk check said of `targetUrl` then. */
  risk: RiskVerdict;
  /** Which way the change came in. */
  source: ChangeSource;
  /** Where visitors were sent. */
  targetUrl: Scalars['URL']['output'];
  /** W3C trace id of the request, 32 hexadecimal digits. */
  traceId?: Maybe<Scalars['String']['output']>;
  /** The version that the change made. */
  version: Scalars['Int']['output'];
};

/** A page of versions. */
export type LinkVersionConnection = {
  __typename?: 'LinkVersionConnection';
  /** The versions with their cursors. */
  edges: Array<LinkVersionEdge>;
  /** The versions alone. */
  nodes: Array<LinkVersion>;
  /** Where this page stands. */
  pageInfo: PageInfo;
};

/** A version in a list. */
export type LinkVersionEdge = {
  __typename?: 'LinkVersionEdge';
  /** For `after`; opaque. */
  cursor: Scalars['String']['output'];
  /** The version. */
  node: LinkVersion;
};

/**
 * Each mutation needs one of the roles OWNER, ADMIN, EDITOR; another role gets FORBIDDEN. Several in one request run one after
 * another, and each has its own answer. All or nothing: with a problem nothing was changed. UNAVAILABLE and DEADLINE_EXCEEDED
 * (in `errors`) leave open whether the change was made: repeat it with the same `idempotencyKey`, or read.
 */
export type Mutation = {
  __typename?: 'Mutation';
  /**
   * Makes a link. If its status is ACTIVE it redirects when this has answered, on every pod within a second. Without `idempotencyKey` in the input,
   * the HTTP header `Idempotency-Key` counts, in a request with no other mutation.
   */
  createLink?: Maybe<LinkPayload>;
  /** Stops a link: visitors get 404 within 5 s. One that is disabled stays as it is, without a problem. */
  disableLink?: Maybe<LinkPayload>;
  /** Undoes `disableLink`. One that is not disabled stays as it is, without a problem. */
  enableLink?: Maybe<LinkPayload>;
  /**
   * Changes a link that stands at `expectedVersion`; else the problem VERSION_MISMATCH with `details.currentVersion`. What
   * changes nothing makes no version. Redirects follow within 5 s, most within 250 ms. `Idempotency-Key` as in `createLink`.
   */
  updateLink?: Maybe<LinkPayload>;
};


/**
 * Each mutation needs one of the roles OWNER, ADMIN, EDITOR; another role gets FORBIDDEN. Several in one request run one after
 * another, and each has its own answer. All or nothing: with a problem nothing was changed. UNAVAILABLE and DEADLINE_EXCEEDED
 * (in `errors`) leave open whether the change was made: repeat it with the same `idempotencyKey`, or read.
 */
export type MutationCreateLinkArgs = {
  input: CreateLinkInput;
};


/**
 * Each mutation needs one of the roles OWNER, ADMIN, EDITOR; another role gets FORBIDDEN. Several in one request run one after
 * another, and each has its own answer. All or nothing: with a problem nothing was changed. UNAVAILABLE and DEADLINE_EXCEEDED
 * (in `errors`) leave open whether the change was made: repeat it with the same `idempotencyKey`, or read.
 */
export type MutationDisableLinkArgs = {
  input: LinkActionInput;
};


/**
 * Each mutation needs one of the roles OWNER, ADMIN, EDITOR; another role gets FORBIDDEN. Several in one request run one after
 * another, and each has its own answer. All or nothing: with a problem nothing was changed. UNAVAILABLE and DEADLINE_EXCEEDED
 * (in `errors`) leave open whether the change was made: repeat it with the same `idempotencyKey`, or read.
 */
export type MutationEnableLinkArgs = {
  input: LinkActionInput;
};


/**
 * Each mutation needs one of the roles OWNER, ADMIN, EDITOR; another role gets FORBIDDEN. Several in one request run one after
 * another, and each has its own answer. All or nothing: with a problem nothing was changed. UNAVAILABLE and DEADLINE_EXCEEDED
 * (in `errors`) leave open whether the change was made: repeat it with the same `idempotencyKey`, or read.
 */
export type MutationUpdateLinkArgs = {
  input: UpdateLinkInput;
};

/** An object with an id that is unique over all types and tenants and never changes. */
export type Node = {
  /** Opaque, at most 40 characters; its prefix tells people the type (`lnk_`, `grp_`, `dom_`). */
  id: Scalars['ID']['output'];
};

/** Where a page stands in its list. */
export type PageInfo = {
  __typename?: 'PageInfo';
  /** Cursor of the last item, for `after`; null for an empty page. */
  endCursor?: Maybe<Scalars['String']['output']>;
  /** Whether `after: endCursor` would give more. */
  hasNextPage: Scalars['Boolean']['output'];
  /** Whether this page began after another item, that is, `after` was given. */
  hasPreviousPage: Scalars['Boolean']['output'];
  /** Cursor of the first item; null for an empty page. */
  startCursor?: Maybe<Scalars['String']['output']>;
};

/**
 * A failure that the caller can mend. Nothing was changed. Failures that the caller can't mend are in `errors`, with the
 * code in `extensions.code`.
 */
export type Problem = {
  __typename?: 'Problem';
  /** One of docs/errors.md; never renamed. New codes may appear: keep a default branch. */
  code: Scalars['String']['output'];
  /** An object with what the code's entry in docs/errors.md names, for example `{currentVersion: 7}`. */
  details?: Maybe<Scalars['JSON']['output']>;
  /** What is wrong and what to change, in English; for people, not for comparison. */
  message: Scalars['String']['output'];
  /** Starts at the argument, indices as digits: `[input, tags, 3]`. Null when no single value is at fault. */
  path?: Maybe<Array<Scalars['String']['output']>>;
};

/**
 * Each query needs a credential, `Authorization: Bearer <API key>`, with one of the roles OWNER, ADMIN, EDITOR, REVIEWER,
 * ANALYST or OPERATOR, and sees the credential's own tenant. What does not exist and what belongs to another tenant both
 * answer null without an error. Every field is nullable, so that the failure of one leaves the rest of the answer.
 *
 * Limits of a request: 256 KB of body (413, PAYLOAD_TOO_LARGE), 1,000 tokens, depth 12, 30 aliases, 20 directives and a cost
 * of 10,000 (400, QUERY_TOO_COMPLEX). A field costs 1, a list its parts times `first`; what can't share its look-up with others
 * costs more and says so. An answer comes within 10 s or is DEADLINE_EXCEEDED.
 */
export type Query = {
  __typename?: 'Query';
  /**
   * Statistics of the tenant, or of some of its links: all that is asked for within one `analytics` has the same range and
   * filters and is of the same moment, so that its parts add up. A link that is not the tenant's is NOT_FOUND. Costs 100.
   */
  analytics?: Maybe<Analytics>;
  /** The domain group of this name. */
  domainGroup?: Maybe<DomainGroup>;
  /** All domain groups of the tenant, oldest first. Costs 20 besides its parts. */
  domainGroups?: Maybe<DomainGroupConnection>;
  /** The link with this id. */
  link?: Maybe<Link>;
  /** The link with this id of the caller's own system. Costs 20. */
  linkByExternalId?: Maybe<Link>;
  /** The link that this short URL leads to, if it is the tenant's. Costs 20. */
  linkByShortUrl?: Maybe<Link>;
  /** The tenant's links. Pages stay stable while links are added: none that was there when the first was read comes twice or is missed. Costs 20 besides its parts. */
  links?: Maybe<LinkConnection>;
  /** The object with this id, whatever its type: a Link, LinkVersion, DomainGroup or Domain. Costs 20. */
  node?: Maybe<Node>;
  /** The credential's own tenant. */
  tenant?: Maybe<Tenant>;
  /** Who the credential stands for. Needs no role. */
  viewer?: Maybe<Viewer>;
};


/**
 * Each query needs a credential, `Authorization: Bearer <API key>`, with one of the roles OWNER, ADMIN, EDITOR, REVIEWER,
 * ANALYST or OPERATOR, and sees the credential's own tenant. What does not exist and what belongs to another tenant both
 * answer null without an error. Every field is nullable, so that the failure of one leaves the rest of the answer.
 *
 * Limits of a request: 256 KB of body (413, PAYLOAD_TOO_LARGE), 1,000 tokens, depth 12, 30 aliases, 20 directives and a cost
 * of 10,000 (400, QUERY_TOO_COMPLEX). A field costs 1, a list its parts times `first`; what can't share its look-up with others
 * costs more and says so. An answer comes within 10 s or is DEADLINE_EXCEEDED.
 */
export type QueryAnalyticsArgs = {
  query: AnalyticsQuery;
};


/**
 * Each query needs a credential, `Authorization: Bearer <API key>`, with one of the roles OWNER, ADMIN, EDITOR, REVIEWER,
 * ANALYST or OPERATOR, and sees the credential's own tenant. What does not exist and what belongs to another tenant both
 * answer null without an error. Every field is nullable, so that the failure of one leaves the rest of the answer.
 *
 * Limits of a request: 256 KB of body (413, PAYLOAD_TOO_LARGE), 1,000 tokens, depth 12, 30 aliases, 20 directives and a cost
 * of 10,000 (400, QUERY_TOO_COMPLEX). A field costs 1, a list its parts times `first`; what can't share its look-up with others
 * costs more and says so. An answer comes within 10 s or is DEADLINE_EXCEEDED.
 */
export type QueryDomainGroupArgs = {
  name: Scalars['String']['input'];
};


/**
 * Each query needs a credential, `Authorization: Bearer <API key>`, with one of the roles OWNER, ADMIN, EDITOR, REVIEWER,
 * ANALYST or OPERATOR, and sees the credential's own tenant. What does not exist and what belongs to another tenant both
 * answer null without an error. Every field is nullable, so that the failure of one leaves the rest of the answer.
 *
 * Limits of a request: 256 KB of body (413, PAYLOAD_TOO_LARGE), 1,000 tokens, depth 12, 30 aliases, 20 directives and a cost
 * of 10,000 (400, QUERY_TOO_COMPLEX). A field costs 1, a list its parts times `first`; what can't share its look-up with others
 * costs more and says so. An answer comes within 10 s or is DEADLINE_EXCEEDED.
 */
export type QueryDomainGroupsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
};


/**
 * Each query needs a credential, `Authorization: Bearer <API key>`, with one of the roles OWNER, ADMIN, EDITOR, REVIEWER,
 * ANALYST or OPERATOR, and sees the credential's own tenant. What does not exist and what belongs to another tenant both
 * answer null without an error. Every field is nullable, so that the failure of one leaves the rest of the answer.
 *
 * Limits of a request: 256 KB of body (413, PAYLOAD_TOO_LARGE), 1,000 tokens, depth 12, 30 aliases, 20 directives and a cost
 * of 10,000 (400, QUERY_TOO_COMPLEX). A field costs 1, a list its parts times `first`; what can't share its look-up with others
 * costs more and says so. An answer comes within 10 s or is DEADLINE_EXCEEDED.
 */
export type QueryLinkArgs = {
  id: Scalars['ID']['input'];
};


/**
 * Each query needs a credential, `Authorization: Bearer <API key>`, with one of the roles OWNER, ADMIN, EDITOR, REVIEWER,
 * ANALYST or OPERATOR, and sees the credential's own tenant. What does not exist and what belongs to another tenant both
 * answer null without an error. Every field is nullable, so that the failure of one leaves the rest of the answer.
 *
 * Limits of a request: 256 KB of body (413, PAYLOAD_TOO_LARGE), 1,000 tokens, depth 12, 30 aliases, 20 directives and a cost
 * of 10,000 (400, QUERY_TOO_COMPLEX). A field costs 1, a list its parts times `first`; what can't share its look-up with others
 * costs more and says so. An answer comes within 10 s or is DEADLINE_EXCEEDED.
 */
export type QueryLinkByExternalIdArgs = {
  externalId: Scalars['String']['input'];
};


/**
 * Each query needs a credential, `Authorization: Bearer <API key>`, with one of the roles OWNER, ADMIN, EDITOR, REVIEWER,
 * ANALYST or OPERATOR, and sees the credential's own tenant. What does not exist and what belongs to another tenant both
 * answer null without an error. Every field is nullable, so that the failure of one leaves the rest of the answer.
 *
 * Limits of a request: 256 KB of body (413, PAYLOAD_TOO_LARGE), 1,000 tokens, depth 12, 30 aliases, 20 directives and a cost
 * of 10,000 (400, QUERY_TOO_COMPLEX). A field costs 1, a list its parts times `first`; what can't share its look-up with others
 * costs more and says so. An answer comes within 10 s or is DEADLINE_EXCEEDED.
 */
export type QueryLinkByShortUrlArgs = {
  shortUrl: Scalars['URL']['input'];
};


/**
 * Each query needs a credential, `Authorization: Bearer <API key>`, with one of the roles OWNER, ADMIN, EDITOR, REVIEWER,
 * ANALYST or OPERATOR, and sees the credential's own tenant. What does not exist and what belongs to another tenant both
 * answer null without an error. Every field is nullable, so that the failure of one leaves the rest of the answer.
 *
 * Limits of a request: 256 KB of body (413, PAYLOAD_TOO_LARGE), 1,000 tokens, depth 12, 30 aliases, 20 directives and a cost
 * of 10,000 (400, QUERY_TOO_COMPLEX). A field costs 1, a list its parts times `first`; what can't share its look-up with others
 * costs more and says so. An answer comes within 10 s or is DEADLINE_EXCEEDED.
 */
export type QueryLinksArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  orderBy?: InputMaybe<LinkOrder>;
};


/**
 * Each query needs a credential, `Authorization: Bearer <API key>`, with one of the roles OWNER, ADMIN, EDITOR, REVIEWER,
 * ANALYST or OPERATOR, and sees the credential's own tenant. What does not exist and what belongs to another tenant both
 * answer null without an error. Every field is nullable, so that the failure of one leaves the rest of the answer.
 *
 * Limits of a request: 256 KB of body (413, PAYLOAD_TOO_LARGE), 1,000 tokens, depth 12, 30 aliases, 20 directives and a cost
 * of 10,000 (400, QUERY_TOO_COMPLEX). A field costs 1, a list its parts times `first`; what can't share its look-up with others
 * costs more and says so. An answer comes within 10 s or is DEADLINE_EXCEEDED.
 */
export type QueryNodeArgs = {
  id: Scalars['ID']['input'];
};

/** What the risk check says of a target. */
export type RiskVerdict =
  /** Served. */
  | 'ALLOW'
  /** Not served. */
  | 'BLOCK'
  /** Not judged yet; not served. */
  | 'PENDING'
  /** Waits for a reviewer; not served. */
  | 'REVIEW'
  /** Served after a page that shows the target host and asks for a click. */
  | 'WARN';

/** An organisation with its own links, domain groups and people; nothing of it is visible to another. */
export type Tenant = {
  __typename?: 'Tenant';
  /** When it was made. */
  createdAt: Scalars['DateTime']['output'];
  /** Never changes. */
  id: Scalars['ID']['output'];
  /** For people; not unique. */
  name: Scalars['String']['output'];
  /** Whether it may act. */
  status: TenantStatus;
};

/** State of a tenant. */
export type TenantStatus =
  /** Works. */
  | 'ACTIVE'
  /** Ended. */
  | 'CLOSED'
  /** Stopped by the platform: its credentials are refused. */
  | 'SUSPENDED';

/** A span of time: exactly one of the two. */
export type TimeRangeInput =
  /** From one instant to another. */
  { between: TimeSpanInput; preset?: never; }
  |  /** A named span, from `now` on back. */
  { between?: never; preset: AnalyticsPreset; };

/** Half-open: `from` belongs to it, `to` does not. */
export type TimeSpanInput = {
  /** First instant. Problem: DATE_INVALID. */
  from: Scalars['DateTime']['input'];
  /** First instant after. Problems: DATE_INVALID, DATE_ORDER. */
  to: Scalars['DateTime']['input'];
};

/** What made a visit. */
export type TrafficClass =
  /** Robots, and whoever sends no user agent. */
  | 'BOT'
  /** HEAD requests. */
  | 'HEAD'
  /** People, as far as their user agent tells. */
  | 'HUMAN'
  /** A browser that loads ahead, as it says itself. */
  | 'PREFETCH'
  /** The fetchers by which messengers and social networks show a link. */
  | 'PREVIEW';

/** Visits of one class. */
export type TrafficClassCount = {
  __typename?: 'TrafficClassCount';
  /** Which class. */
  class: TrafficClass;
  /** How many. */
  count: Scalars['SafeInt']['output'];
};

/** A field that is absent is left as it is; null clears it. */
export type UpdateLinkInput = {
  /** As at creation. */
  effectiveAt?: InputMaybe<Scalars['DateTime']['input']>;
  /** The version that the caller read. Problem: VERSION_MISMATCH. */
  expectedVersion: Scalars['Int']['input'];
  /** As at creation. A time that has passed gets the problem DATE_IN_PAST: to stop a link, use `disableLink`. */
  expiresAt?: InputMaybe<Scalars['DateTime']['input']>;
  /** As at creation. */
  externalId?: InputMaybe<Scalars['String']['input']>;
  /** Problem: NOT_FOUND. */
  id: Scalars['ID']['input'];
  /** As at creation. */
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
  /** All metadata that the link shall have; null and `{}` clear it. */
  metadata?: InputMaybe<Scalars['JSON']['input']>;
  /** As at creation. */
  note?: InputMaybe<Scalars['String']['input']>;
  /** Why, for the history; at most 500 characters. Problem: TOO_LONG. */
  reason?: InputMaybe<Scalars['String']['input']>;
  /** All tags that the link shall have; null and `[]` clear them. */
  tags?: InputMaybe<Array<Scalars['String']['input']>>;
  /** As at creation, with the same problems; can't be cleared. Problem of links with redirect type 301 or 308: LINK_IMMUTABLE. */
  targetUrl?: InputMaybe<Scalars['URL']['input']>;
  /** As at creation. */
  title?: InputMaybe<Scalars['String']['input']>;
};

/** The holder of the credential that this request was made with. */
export type Viewer = {
  __typename?: 'Viewer';
  /** As it will stand in the history of what it changes. */
  actor: Actor;
  /** Its roles: OWNER, ADMIN, EDITOR, REVIEWER, ANALYST, OPERATOR. OWNER, ADMIN and EDITOR may change links. New ones may appear. */
  scopes: Array<Scalars['String']['output']>;
  /** The tenant that it acts for. */
  tenant?: Maybe<Tenant>;
};

/** How visitors were counted. */
export type VisitorMethod =
  /** One by one, within one UTC day. */
  | 'EXACT'
  /** Estimated by HyperLogLog, within one UTC day. */
  | 'HLL'
  /** Added over UTC days: who came on two of them counts twice. Exact where `relativeError` is null. */
  | 'SUM_OF_WINDOWS';

/** A day of the week. */
export type Weekday =
  /** Friday. */
  | 'FRIDAY'
  /** Monday. */
  | 'MONDAY'
  /** Saturday. */
  | 'SATURDAY'
  /** Sunday. */
  | 'SUNDAY'
  /** Thursday. */
  | 'THURSDAY'
  /** Tuesday. */
  | 'TUESDAY'
  /** Wednesday. */
  | 'WEDNESDAY';



export type ResolverTypeWrapper<T> = Promise<T> | T;


export type ResolverWithResolve<TResult, TParent, TContext, TArgs> = {
  resolve: ResolverFn<TResult, TParent, TContext, TArgs>;
};
export type Resolver<TResult, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = ResolverFn<TResult, TParent, TContext, TArgs> | ResolverWithResolve<TResult, TParent, TContext, TArgs>;

export type ResolverFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => Promise<TResult> | TResult;

export type SubscriptionSubscribeFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => AsyncIterable<TResult> | Promise<AsyncIterable<TResult>>;

export type SubscriptionResolveFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;

export interface SubscriptionSubscriberObject<TResult, TKey extends string, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<{ [key in TKey]: TResult }, TParent, TContext, TArgs>;
  resolve?: SubscriptionResolveFn<TResult, { [key in TKey]: TResult }, TContext, TArgs>;
}

export interface SubscriptionResolverObject<TResult, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<any, TParent, TContext, TArgs>;
  resolve: SubscriptionResolveFn<TResult, any, TContext, TArgs>;
}

export type SubscriptionObject<TResult, TKey extends string, TParent, TContext, TArgs> =
  | SubscriptionSubscriberObject<TResult, TKey, TParent, TContext, TArgs>
  | SubscriptionResolverObject<TResult, TParent, TContext, TArgs>;

export type SubscriptionResolver<TResult, TKey extends string, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> =
  | ((...args: any[]) => SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>)
  | SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>;

export type TypeResolveFn<TTypes, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (
  parent: TParent,
  context: TContext,
  info: GraphQLResolveInfo
) => Maybe<TTypes> | Promise<Maybe<TTypes>>;

export type IsTypeOfResolverFn<T = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (obj: T, context: TContext, info: GraphQLResolveInfo) => boolean | Promise<boolean>;

export type NextResolverFn<T> = () => Promise<T>;

export type DirectiveResolverFn<TResult = Record<PropertyKey, never>, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = (
  next: NextResolverFn<TResult>,
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;




/** Mapping of interface types */
export type ResolversInterfaceTypes<_RefType extends Record<string, unknown>> = {
  Node:
    | ( DomainMessage )
    | ( DomainGroupMessage )
    | ( LinkMessage )
    | ( LinkVersionMessage )
  ;
};

/** Mapping between all available schema types and the resolvers types */
export type ResolversTypes = {
  Actor: ResolverTypeWrapper<Actor>;
  ActorKind: ActorKind;
  Analytics: ResolverTypeWrapper<AnalyticsPage>;
  AnalyticsBreakdown: ResolverTypeWrapper<AnalyticsBreakdown>;
  AnalyticsBucket: ResolverTypeWrapper<AnalyticsBucket>;
  AnalyticsComparison: AnalyticsComparison;
  AnalyticsDimension: AnalyticsDimension;
  AnalyticsFilter: AnalyticsFilter;
  AnalyticsGranularity: AnalyticsGranularity;
  AnalyticsMetrics: ResolverTypeWrapper<AnalyticsMetrics>;
  AnalyticsOperator: AnalyticsOperator;
  AnalyticsPreset: AnalyticsPreset;
  AnalyticsQuality: ResolverTypeWrapper<AnalyticsQuality>;
  AnalyticsQuery: AnalyticsQuery;
  AnalyticsRow: ResolverTypeWrapper<AnalyticsRow>;
  AnalyticsRowKind: AnalyticsRowKind;
  AnalyticsRowOrder: AnalyticsRowOrder;
  AnalyticsScope: AnalyticsScope;
  AnalyticsSource: AnalyticsSource;
  AnalyticsVisitors: ResolverTypeWrapper<AnalyticsVisitors>;
  Boolean: ResolverTypeWrapper<Scalars['Boolean']['output']>;
  ChangeSource: ChangeSource;
  ClickTotals: ResolverTypeWrapper<ClickTotals>;
  CodePolicy: ResolverTypeWrapper<CodePolicyMessage>;
  CreateLinkInput: CreateLinkInput;
  DateTime: ResolverTypeWrapper<Scalars['DateTime']['output']>;
  Domain: ResolverTypeWrapper<DomainMessage>;
  DomainGroup: ResolverTypeWrapper<DomainGroupMessage>;
  DomainGroupConnection: ResolverTypeWrapper<Omit<DomainGroupConnection, 'edges' | 'nodes'> & { edges: Array<ResolversTypes['DomainGroupEdge']>, nodes: Array<ResolversTypes['DomainGroup']> }>;
  DomainGroupEdge: ResolverTypeWrapper<Omit<DomainGroupEdge, 'node'> & { node: ResolversTypes['DomainGroup'] }>;
  DomainKind: DomainKind;
  DomainState: DomainState;
  Float: ResolverTypeWrapper<Scalars['Float']['output']>;
  ID: ResolverTypeWrapper<Scalars['ID']['output']>;
  Int: ResolverTypeWrapper<Scalars['Int']['output']>;
  JSON: ResolverTypeWrapper<Scalars['JSON']['output']>;
  Link: ResolverTypeWrapper<LinkMessage>;
  LinkActionInput: LinkActionInput;
  LinkAnalyticsQuery: LinkAnalyticsQuery;
  LinkConnection: ResolverTypeWrapper<Omit<LinkConnection, 'edges' | 'nodes'> & { edges: Array<ResolversTypes['LinkEdge']>, nodes: Array<ResolversTypes['Link']> }>;
  LinkEdge: ResolverTypeWrapper<Omit<LinkEdge, 'node'> & { node: ResolversTypes['Link'] }>;
  LinkOrder: LinkOrder;
  LinkPayload: ResolverTypeWrapper<Omit<LinkPayload, 'link'> & { link?: Maybe<ResolversTypes['Link']> }>;
  LinkStatus: LinkStatus;
  LinkVersion: ResolverTypeWrapper<LinkVersionMessage>;
  LinkVersionConnection: ResolverTypeWrapper<Omit<LinkVersionConnection, 'edges' | 'nodes'> & { edges: Array<ResolversTypes['LinkVersionEdge']>, nodes: Array<ResolversTypes['LinkVersion']> }>;
  LinkVersionEdge: ResolverTypeWrapper<Omit<LinkVersionEdge, 'node'> & { node: ResolversTypes['LinkVersion'] }>;
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Node: ResolverTypeWrapper<ResolversInterfaceTypes<ResolversTypes>['Node']>;
  PageInfo: ResolverTypeWrapper<PageInfo>;
  Problem: ResolverTypeWrapper<Problem>;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  RiskVerdict: RiskVerdict;
  SafeInt: ResolverTypeWrapper<Scalars['SafeInt']['output']>;
  String: ResolverTypeWrapper<Scalars['String']['output']>;
  Tenant: ResolverTypeWrapper<TenantMessage>;
  TenantStatus: TenantStatus;
  TimeRangeInput: TimeRangeInput;
  TimeSpanInput: TimeSpanInput;
  TimeZone: ResolverTypeWrapper<Scalars['TimeZone']['output']>;
  TrafficClass: TrafficClass;
  TrafficClassCount: ResolverTypeWrapper<TrafficClassCount>;
  URL: ResolverTypeWrapper<Scalars['URL']['output']>;
  UpdateLinkInput: UpdateLinkInput;
  Viewer: ResolverTypeWrapper<Omit<Viewer, 'tenant'> & { tenant?: Maybe<ResolversTypes['Tenant']> }>;
  VisitorMethod: VisitorMethod;
  Weekday: Weekday;
};

/** Mapping between all available schema types and the resolvers parents */
export type ResolversParentTypes = {
  Actor: Actor;
  Analytics: AnalyticsPage;
  AnalyticsBreakdown: AnalyticsBreakdown;
  AnalyticsBucket: AnalyticsBucket;
  AnalyticsFilter: AnalyticsFilter;
  AnalyticsMetrics: AnalyticsMetrics;
  AnalyticsQuality: AnalyticsQuality;
  AnalyticsQuery: AnalyticsQuery;
  AnalyticsRow: AnalyticsRow;
  AnalyticsScope: AnalyticsScope;
  AnalyticsVisitors: AnalyticsVisitors;
  Boolean: Scalars['Boolean']['output'];
  ClickTotals: ClickTotals;
  CodePolicy: CodePolicyMessage;
  CreateLinkInput: CreateLinkInput;
  DateTime: Scalars['DateTime']['output'];
  Domain: DomainMessage;
  DomainGroup: DomainGroupMessage;
  DomainGroupConnection: Omit<DomainGroupConnection, 'edges' | 'nodes'> & { edges: Array<ResolversParentTypes['DomainGroupEdge']>, nodes: Array<ResolversParentTypes['DomainGroup']> };
  DomainGroupEdge: Omit<DomainGroupEdge, 'node'> & { node: ResolversParentTypes['DomainGroup'] };
  Float: Scalars['Float']['output'];
  ID: Scalars['ID']['output'];
  Int: Scalars['Int']['output'];
  JSON: Scalars['JSON']['output'];
  Link: LinkMessage;
  LinkActionInput: LinkActionInput;
  LinkAnalyticsQuery: LinkAnalyticsQuery;
  LinkConnection: Omit<LinkConnection, 'edges' | 'nodes'> & { edges: Array<ResolversParentTypes['LinkEdge']>, nodes: Array<ResolversParentTypes['Link']> };
  LinkEdge: Omit<LinkEdge, 'node'> & { node: ResolversParentTypes['Link'] };
  LinkPayload: Omit<LinkPayload, 'link'> & { link?: Maybe<ResolversParentTypes['Link']> };
  LinkVersion: LinkVersionMessage;
  LinkVersionConnection: Omit<LinkVersionConnection, 'edges' | 'nodes'> & { edges: Array<ResolversParentTypes['LinkVersionEdge']>, nodes: Array<ResolversParentTypes['LinkVersion']> };
  LinkVersionEdge: Omit<LinkVersionEdge, 'node'> & { node: ResolversParentTypes['LinkVersion'] };
  Mutation: Record<PropertyKey, never>;
  Node: ResolversInterfaceTypes<ResolversParentTypes>['Node'];
  PageInfo: PageInfo;
  Problem: Problem;
  Query: Record<PropertyKey, never>;
  SafeInt: Scalars['SafeInt']['output'];
  String: Scalars['String']['output'];
  Tenant: TenantMessage;
  TimeRangeInput: TimeRangeInput;
  TimeSpanInput: TimeSpanInput;
  TimeZone: Scalars['TimeZone']['output'];
  TrafficClassCount: TrafficClassCount;
  URL: Scalars['URL']['output'];
  UpdateLinkInput: UpdateLinkInput;
  Viewer: Omit<Viewer, 'tenant'> & { tenant?: Maybe<ResolversParentTypes['Tenant']> };
};

export type ActorResolvers<ContextType = any, ParentType extends ResolversParentTypes['Actor'] = ResolversParentTypes['Actor']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['ActorKind'], ParentType, ContextType>;
  name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type AnalyticsResolvers<ContextType = any, ParentType extends ResolversParentTypes['Analytics'] = ResolversParentTypes['Analytics']> = {
  breakdown?: Resolver<ResolversTypes['AnalyticsBreakdown'], ParentType, ContextType, RequireFields<AnalyticsBreakdownArgs, 'by' | 'first' | 'orderBy'>>;
  previousTotals?: Resolver<Maybe<ResolversTypes['AnalyticsMetrics']>, ParentType, ContextType>;
  quality?: Resolver<ResolversTypes['AnalyticsQuality'], ParentType, ContextType>;
  series?: Resolver<Array<ResolversTypes['AnalyticsBucket']>, ParentType, ContextType, RequireFields<AnalyticsSeriesArgs, 'granularity'>>;
  totals?: Resolver<ResolversTypes['AnalyticsMetrics'], ParentType, ContextType>;
};

export type AnalyticsBreakdownResolvers<ContextType = any, ParentType extends ResolversParentTypes['AnalyticsBreakdown'] = ResolversParentTypes['AnalyticsBreakdown']> = {
  dimension?: Resolver<ResolversTypes['AnalyticsDimension'], ParentType, ContextType>;
  distinctValues?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  rows?: Resolver<Array<ResolversTypes['AnalyticsRow']>, ParentType, ContextType>;
};

export type AnalyticsBucketResolvers<ContextType = any, ParentType extends ResolversParentTypes['AnalyticsBucket'] = ResolversParentTypes['AnalyticsBucket']> = {
  end?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  metrics?: Resolver<ResolversTypes['AnalyticsMetrics'], ParentType, ContextType>;
  partial?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  previous?: Resolver<Maybe<ResolversTypes['AnalyticsMetrics']>, ParentType, ContextType>;
  start?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type AnalyticsMetricsResolvers<ContextType = any, ParentType extends ResolversParentTypes['AnalyticsMetrics'] = ResolversParentTypes['AnalyticsMetrics']> = {
  clicks?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  excluded?: Resolver<Array<ResolversTypes['TrafficClassCount']>, ParentType, ContextType>;
  visitors?: Resolver<Maybe<ResolversTypes['AnalyticsVisitors']>, ParentType, ContextType>;
};

export type AnalyticsQualityResolvers<ContextType = any, ParentType extends ResolversParentTypes['AnalyticsQuality'] = ResolversParentTypes['AnalyticsQuality']> = {
  asOf?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  droppedAtEdge?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  exact?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  lagSeconds?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  retentionFrom?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  source?: Resolver<ResolversTypes['AnalyticsSource'], ParentType, ContextType>;
  tooLate?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
};

export type AnalyticsRowResolvers<ContextType = any, ParentType extends ResolversParentTypes['AnalyticsRow'] = ResolversParentTypes['AnalyticsRow']> = {
  key?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['AnalyticsRowKind'], ParentType, ContextType>;
  label?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  metrics?: Resolver<ResolversTypes['AnalyticsMetrics'], ParentType, ContextType>;
  previous?: Resolver<Maybe<ResolversTypes['AnalyticsMetrics']>, ParentType, ContextType>;
  share?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
};

export type AnalyticsVisitorsResolvers<ContextType = any, ParentType extends ResolversParentTypes['AnalyticsVisitors'] = ResolversParentTypes['AnalyticsVisitors']> = {
  method?: Resolver<ResolversTypes['VisitorMethod'], ParentType, ContextType>;
  relativeError?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  value?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
};

export type ClickTotalsResolvers<ContextType = any, ParentType extends ResolversParentTypes['ClickTotals'] = ResolversParentTypes['ClickTotals']> = {
  asOf?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  bot?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  human?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  total?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  unique?: Resolver<Maybe<ResolversTypes['SafeInt']>, ParentType, ContextType>;
};

export type CodePolicyResolvers<ContextType = any, ParentType extends ResolversParentTypes['CodePolicy'] = ResolversParentTypes['CodePolicy']> = {
  caseSensitive?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  codeLength?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export interface DateTimeScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['DateTime'], any> {
  name: 'DateTime';
}

export type DomainResolvers<ContextType = any, ParentType extends ResolversParentTypes['Domain'] = ResolversParentTypes['Domain']> = {
  displayName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  hostname?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['DomainKind'], ParentType, ContextType>;
  state?: Resolver<ResolversTypes['DomainState'], ParentType, ContextType>;
  stateSince?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type DomainGroupResolvers<ContextType = any, ParentType extends ResolversParentTypes['DomainGroup'] = ResolversParentTypes['DomainGroup']> = {
  codePolicy?: Resolver<ResolversTypes['CodePolicy'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  recommendedDomain?: Resolver<Maybe<ResolversTypes['Domain']>, ParentType, ContextType>;
  version?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type DomainGroupConnectionResolvers<ContextType = any, ParentType extends ResolversParentTypes['DomainGroupConnection'] = ResolversParentTypes['DomainGroupConnection']> = {
  edges?: Resolver<Array<ResolversTypes['DomainGroupEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['DomainGroup']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type DomainGroupEdgeResolvers<ContextType = any, ParentType extends ResolversParentTypes['DomainGroupEdge'] = ResolversParentTypes['DomainGroupEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['DomainGroup'], ParentType, ContextType>;
};

export interface JsonScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['JSON'], any> {
  name: 'JSON';
}

export type LinkResolvers<ContextType = any, ParentType extends ResolversParentTypes['Link'] = ResolversParentTypes['Link']> = {
  analytics?: Resolver<Maybe<ResolversTypes['Analytics']>, ParentType, ContextType, RequireFields<LinkAnalyticsArgs, 'query'>>;
  clicks?: Resolver<Maybe<ResolversTypes['ClickTotals']>, ParentType, ContextType, Partial<LinkClicksArgs>>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  createdBy?: Resolver<ResolversTypes['Actor'], ParentType, ContextType>;
  domainGroup?: Resolver<Maybe<ResolversTypes['DomainGroup']>, ParentType, ContextType>;
  effectiveAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  expiresAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  externalId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  metadata?: Resolver<ResolversTypes['JSON'], ParentType, ContextType>;
  note?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  redirectType?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  risk?: Resolver<ResolversTypes['RiskVerdict'], ParentType, ContextType>;
  shortCode?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  shortUrl?: Resolver<ResolversTypes['URL'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['LinkStatus'], ParentType, ContextType>;
  tags?: Resolver<Array<ResolversTypes['String']>, ParentType, ContextType>;
  targetUrl?: Resolver<ResolversTypes['URL'], ParentType, ContextType>;
  title?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  updatedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  updatedBy?: Resolver<ResolversTypes['Actor'], ParentType, ContextType>;
  version?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  versions?: Resolver<Maybe<ResolversTypes['LinkVersionConnection']>, ParentType, ContextType, RequireFields<LinkVersionsArgs, 'first'>>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type LinkConnectionResolvers<ContextType = any, ParentType extends ResolversParentTypes['LinkConnection'] = ResolversParentTypes['LinkConnection']> = {
  edges?: Resolver<Array<ResolversTypes['LinkEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['Link']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<Maybe<ResolversTypes['SafeInt']>, ParentType, ContextType>;
};

export type LinkEdgeResolvers<ContextType = any, ParentType extends ResolversParentTypes['LinkEdge'] = ResolversParentTypes['LinkEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Link'], ParentType, ContextType>;
};

export type LinkPayloadResolvers<ContextType = any, ParentType extends ResolversParentTypes['LinkPayload'] = ResolversParentTypes['LinkPayload']> = {
  link?: Resolver<Maybe<ResolversTypes['Link']>, ParentType, ContextType>;
  problems?: Resolver<Array<ResolversTypes['Problem']>, ParentType, ContextType>;
  replayed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type LinkVersionResolvers<ContextType = any, ParentType extends ResolversParentTypes['LinkVersion'] = ResolversParentTypes['LinkVersion']> = {
  actor?: Resolver<ResolversTypes['Actor'], ParentType, ContextType>;
  clientIp?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  previousTargetUrl?: Resolver<Maybe<ResolversTypes['URL']>, ParentType, ContextType>;
  reason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  risk?: Resolver<ResolversTypes['RiskVerdict'], ParentType, ContextType>;
  source?: Resolver<ResolversTypes['ChangeSource'], ParentType, ContextType>;
  targetUrl?: Resolver<ResolversTypes['URL'], ParentType, ContextType>;
  traceId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  version?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type LinkVersionConnectionResolvers<ContextType = any, ParentType extends ResolversParentTypes['LinkVersionConnection'] = ResolversParentTypes['LinkVersionConnection']> = {
  edges?: Resolver<Array<ResolversTypes['LinkVersionEdge']>, ParentType, ContextType>;
  nodes?: Resolver<Array<ResolversTypes['LinkVersion']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type LinkVersionEdgeResolvers<ContextType = any, ParentType extends ResolversParentTypes['LinkVersionEdge'] = ResolversParentTypes['LinkVersionEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['LinkVersion'], ParentType, ContextType>;
};

export type MutationResolvers<ContextType = any, ParentType extends ResolversParentTypes['Mutation'] = ResolversParentTypes['Mutation']> = {
  createLink?: Resolver<Maybe<ResolversTypes['LinkPayload']>, ParentType, ContextType, RequireFields<MutationCreateLinkArgs, 'input'>>;
  disableLink?: Resolver<Maybe<ResolversTypes['LinkPayload']>, ParentType, ContextType, RequireFields<MutationDisableLinkArgs, 'input'>>;
  enableLink?: Resolver<Maybe<ResolversTypes['LinkPayload']>, ParentType, ContextType, RequireFields<MutationEnableLinkArgs, 'input'>>;
  updateLink?: Resolver<Maybe<ResolversTypes['LinkPayload']>, ParentType, ContextType, RequireFields<MutationUpdateLinkArgs, 'input'>>;
};

export type NodeResolvers<ContextType = any, ParentType extends ResolversParentTypes['Node'] = ResolversParentTypes['Node']> = {
  __resolveType: TypeResolveFn<'Domain' | 'DomainGroup' | 'Link' | 'LinkVersion', ParentType, ContextType>;
};

export type PageInfoResolvers<ContextType = any, ParentType extends ResolversParentTypes['PageInfo'] = ResolversParentTypes['PageInfo']> = {
  endCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  hasNextPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  hasPreviousPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  startCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type ProblemResolvers<ContextType = any, ParentType extends ResolversParentTypes['Problem'] = ResolversParentTypes['Problem']> = {
  code?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  details?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  path?: Resolver<Maybe<Array<ResolversTypes['String']>>, ParentType, ContextType>;
};

export type QueryResolvers<ContextType = any, ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query']> = {
  analytics?: Resolver<Maybe<ResolversTypes['Analytics']>, ParentType, ContextType, RequireFields<QueryAnalyticsArgs, 'query'>>;
  domainGroup?: Resolver<Maybe<ResolversTypes['DomainGroup']>, ParentType, ContextType, RequireFields<QueryDomainGroupArgs, 'name'>>;
  domainGroups?: Resolver<Maybe<ResolversTypes['DomainGroupConnection']>, ParentType, ContextType, RequireFields<QueryDomainGroupsArgs, 'first'>>;
  link?: Resolver<Maybe<ResolversTypes['Link']>, ParentType, ContextType, RequireFields<QueryLinkArgs, 'id'>>;
  linkByExternalId?: Resolver<Maybe<ResolversTypes['Link']>, ParentType, ContextType, RequireFields<QueryLinkByExternalIdArgs, 'externalId'>>;
  linkByShortUrl?: Resolver<Maybe<ResolversTypes['Link']>, ParentType, ContextType, RequireFields<QueryLinkByShortUrlArgs, 'shortUrl'>>;
  links?: Resolver<Maybe<ResolversTypes['LinkConnection']>, ParentType, ContextType, RequireFields<QueryLinksArgs, 'first' | 'orderBy'>>;
  node?: Resolver<Maybe<ResolversTypes['Node']>, ParentType, ContextType, RequireFields<QueryNodeArgs, 'id'>>;
  tenant?: Resolver<Maybe<ResolversTypes['Tenant']>, ParentType, ContextType>;
  viewer?: Resolver<Maybe<ResolversTypes['Viewer']>, ParentType, ContextType>;
};

export interface SafeIntScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['SafeInt'], any> {
  name: 'SafeInt';
}

export type TenantResolvers<ContextType = any, ParentType extends ResolversParentTypes['Tenant'] = ResolversParentTypes['Tenant']> = {
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['TenantStatus'], ParentType, ContextType>;
};

export interface TimeZoneScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['TimeZone'], any> {
  name: 'TimeZone';
}

export type TrafficClassCountResolvers<ContextType = any, ParentType extends ResolversParentTypes['TrafficClassCount'] = ResolversParentTypes['TrafficClassCount']> = {
  class?: Resolver<ResolversTypes['TrafficClass'], ParentType, ContextType>;
  count?: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
};

export interface UrlScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['URL'], any> {
  name: 'URL';
}

export type ViewerResolvers<ContextType = any, ParentType extends ResolversParentTypes['Viewer'] = ResolversParentTypes['Viewer']> = {
  actor?: Resolver<ResolversTypes['Actor'], ParentType, ContextType>;
  scopes?: Resolver<Array<ResolversTypes['String']>, ParentType, ContextType>;
  tenant?: Resolver<Maybe<ResolversTypes['Tenant']>, ParentType, ContextType>;
};

export type Resolvers<ContextType = any> = {
  Actor?: ActorResolvers<ContextType>;
  Analytics?: AnalyticsResolvers<ContextType>;
  AnalyticsBreakdown?: AnalyticsBreakdownResolvers<ContextType>;
  AnalyticsBucket?: AnalyticsBucketResolvers<ContextType>;
  AnalyticsMetrics?: AnalyticsMetricsResolvers<ContextType>;
  AnalyticsQuality?: AnalyticsQualityResolvers<ContextType>;
  AnalyticsRow?: AnalyticsRowResolvers<ContextType>;
  AnalyticsVisitors?: AnalyticsVisitorsResolvers<ContextType>;
  ClickTotals?: ClickTotalsResolvers<ContextType>;
  CodePolicy?: CodePolicyResolvers<ContextType>;
  DateTime?: GraphQLScalarType;
  Domain?: DomainResolvers<ContextType>;
  DomainGroup?: DomainGroupResolvers<ContextType>;
  DomainGroupConnection?: DomainGroupConnectionResolvers<ContextType>;
  DomainGroupEdge?: DomainGroupEdgeResolvers<ContextType>;
  JSON?: GraphQLScalarType;
  Link?: LinkResolvers<ContextType>;
  LinkConnection?: LinkConnectionResolvers<ContextType>;
  LinkEdge?: LinkEdgeResolvers<ContextType>;
  LinkPayload?: LinkPayloadResolvers<ContextType>;
  LinkVersion?: LinkVersionResolvers<ContextType>;
  LinkVersionConnection?: LinkVersionConnectionResolvers<ContextType>;
  LinkVersionEdge?: LinkVersionEdgeResolvers<ContextType>;
  Mutation?: MutationResolvers<ContextType>;
  Node?: NodeResolvers<ContextType>;
  PageInfo?: PageInfoResolvers<ContextType>;
  Problem?: ProblemResolvers<ContextType>;
  Query?: QueryResolvers<ContextType>;
  SafeInt?: GraphQLScalarType;
  Tenant?: TenantResolvers<ContextType>;
  TimeZone?: GraphQLScalarType;
  TrafficClassCount?: TrafficClassCountResolvers<ContextType>;
  URL?: GraphQLScalarType;
  Viewer?: ViewerResolvers<ContextType>;
};

