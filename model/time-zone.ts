import { LRUCache } from 'lru-cache';
import { Temporal } from 'temporal-polyfill';

/** Letters first, at most three parts: neither an offset (`+08:00`) nor anything longer than the longest IANA name twice over. */
const SHAPE = /^(?=.{1,64}$)[a-z][a-z0-9_+-]*(?:\/[a-z][a-z0-9_+-]*){0,2}$/i;

/** All the names of three letters that IANA has. ICU adds others (JST, IST, PST), which people read in different ways. */
const IANA_OF_THREE = /^(?:[CEMW]ET|[EHM]ST|GMT|PRC|RO[CK]|UCT|UTC)$/i;
const ICU_ONLY = /^(?:[a-z]{3}$|SystemV\/)/i;

/**
 * A name in the spelling that came in, to the runtime's own name of the same rules (Asia/Calcutta for asia/kolkata). Only that
 * one may reach Temporal, which keeps whatever spelling it ever saw: `aSIA/kolkata` and its like would fill the memory.
 */
const RULES = new LRUCache<string, string>({ max: 1_000 });

/**
 * Whether a text is an IANA time zone of this runtime, in any case as ECMA-402 has it, links included (Asia/Calcutta, UTC).
 * Offsets such as `+08:00` aren't, nor are the abbreviations that only ICU knows.
 */
export function isTimeZone(name: string): boolean {
  return rulesOf(name) !== undefined;
}

/** An instant (milliseconds since 1970) on a zone's clock; a RangeError if `isTimeZone` refuses the name. */
export function onClock(instant: number, timeZone: string): Temporal.ZonedDateTime {
  const rules = rulesOf(timeZone);
  if (rules === undefined) throw new RangeError('not a time zone');
  return Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(rules);
}

function rulesOf(name: string): string | undefined {
  const known = RULES.get(name);
  if (known !== undefined) return known;
  if (!SHAPE.test(name) || (ICU_ONLY.test(name) && !IANA_OF_THREE.test(name))) return undefined;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    RULES.set(name, timeZone);
    return timeZone;
  } catch {
    return undefined;
  }
}
