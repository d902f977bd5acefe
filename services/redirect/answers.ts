import type { Decision, Redirect } from './decision.js';
import { bestLanguage, type Language, type PageName, page, warning } from './pages.js';
import type { Visited } from './visit.js';

/** All that is written to the socket; header names and values in turn. */
export interface Answer {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body?: Buffer;
  /** Whose visit it is, when it leads to a target: it is counted once it is written. */
  readonly visited?: Visited;
}

/** No script, no resource from anywhere, no frame, no form: a page has only text, its own style and at most one link. */
const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const STATUS: Record<PageName, number> = {
  'bad-request': 400,
  blocked: 403,
  'not-found': 404,
  'method-not-allowed': 405,
  gone: 410,
  'unknown-host': 421,
  unavailable: 503,
};

const EXTRA: Partial<Record<PageName, readonly string[]>> = {
  'method-not-allowed': ['Allow', 'GET, HEAD'],
  unavailable: ['Retry-After', '2'],
};

const PAGES: Record<Language, Record<PageName, Answer>> = { en: fixedPages('en'), zh: fixedPages('zh') };

/** @param acceptLanguage of the request, for the language of a page */
export function pageAnswer(name: PageName, acceptLanguage: string | undefined): Answer {
  return PAGES[bestLanguage(acceptLanguage)][name];
}

export function decisionAnswer(decision: Exclude<Decision, Redirect>, acceptLanguage: string | undefined): Answer {
  if (decision.kind !== 'warn') return pageAnswer(decision.kind, acceptLanguage);
  return html(200, warning(decision.targetUrl, bestLanguage(acceptLanguage)), []);
}

function fixedPages(language: Language): Record<PageName, Answer> {
  const names = Object.keys(STATUS) as PageName[];
  const made = names.map((name) => [name, html(STATUS[name], page(name, language), EXTRA[name] ?? [])] as const);
  return Object.fromEntries(made) as Record<PageName, Answer>;
}

function html(status: number, text: string, extra: readonly string[]): Answer {
  const body = Buffer.from(text);
  const headers = [
    ...['Content-Type', 'text/html; charset=utf-8', 'Content-Length', String(body.length)],
    ...['Cache-Control', 'no-store', 'Content-Security-Policy', PAGE_POLICY],
    ...['X-Content-Type-Options', 'nosniff', 'X-Robots-Tag', 'noindex', 'Referrer-Policy', 'no-referrer'],
    ...extra,
  ];
  return { status, headers, body };
}
