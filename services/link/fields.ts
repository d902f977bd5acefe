import type { LinkFields as FieldsMessage } from '../../gen/proto/waypost/link/v1/link_service.js';
import { parseDateTime } from '../../model/date-time.js';
import type { ErrorCode } from '../../model/errors.js';
import type { Problem } from '../../runtime/app-error.js';
import type { LinkFields, Metadata, MetadataValue } from './link.js';

/** Limits in UTF-16 units; docs and schema descriptions name the same. */
const TITLE_MAX = 500;
const NOTE_MAX = 2_000;
const REASON_MAX = 500;
const EXTERNAL_ID_MAX = 200;
const TAGS_MAX = 50;
const TAG_MAX = 100;
const METADATA_MAX = 50;
const METADATA_KEY_MAX = 64;
const METADATA_VALUE_MAX = 1_000;
/** All keys and values together. */
const METADATA_TOTAL_MAX = 8_000;

/** The fields of a request but the target, which only the risk check can read. */
export type PlainFields = Omit<LinkFields, 'target'>;

/** Reads fields as a caller wrote them, collecting every fault with its path. */
export class FieldReader {
  readonly problems: Problem[] = [];

  fault(code: ErrorCode, message: string, path: string[], details?: Record<string, unknown>): void {
    this.problems.push({ code, message, path, ...(details ? { details } : {}) });
  }

  read(message: FieldsMessage): PlainFields {
    return {
      title: this.#text('title', message.title, TITLE_MAX),
      note: this.#text('note', message.note, NOTE_MAX, true),
      externalId: this.#externalId(message.externalId),
      tags: this.#tags(message.tags),
      metadata: this.#metadata(message.metadata),
      effectiveAt: this.#date('effectiveAt', message.effectiveAt),
      expiresAt: this.#date('expiresAt', message.expiresAt),
    };
  }

  /** Relations between dates, checked on the state that would result. */
  checkDates({ effectiveAt, expiresAt }: Pick<PlainFields, 'effectiveAt' | 'expiresAt'>): void {
    if (effectiveAt && expiresAt && expiresAt <= effectiveAt) {
      this.fault('DATE_ORDER', 'expiresAt must be later than effectiveAt.', ['expiresAt']);
    }
  }

  checkNotPast(expiresAt: Date | undefined, now: Date): void {
    if (expiresAt && expiresAt <= now) this.fault('DATE_IN_PAST', 'expiresAt has already passed.', ['expiresAt']);
  }

  checkReason(reason: string): void {
    this.#checkText(reason, REASON_MAX, ['reason'], true);
  }

  #text(name: string, value: string | undefined, max: number, lines = false): string | undefined {
    if (value === undefined || value === '') return undefined;
    this.#checkText(value, max, [name], lines);
    return value;
  }

  #checkText(value: string, max: number, path: string[], lines = false): void {
    const name = path.join('.');
    if (value.length > max) {
      this.fault('TOO_LONG', `${name} has ${value.length} characters; at most ${max} are allowed.`, path, {
        limit: max,
      });
    } else if ((lines ? CONTROL_BUT_LINES : CONTROL).test(value)) {
      this.fault('CONTROL_CHAR', `${name} has a control character. Remove it.`, path);
    }
  }

  #externalId(value: string | undefined): string | undefined {
    const text = this.#text('externalId', value, EXTERNAL_ID_MAX);
    if (text !== undefined && text.trim() !== text) {
      this.fault('INVALID_ARGUMENT', 'externalId begins or ends with a space.', ['externalId']);
    }
    return text;
  }

  #tags(values: readonly string[]): string[] {
    const tags = [...new Set(values.map((value) => value.trim()))];
    if (tags.length > TAGS_MAX) {
      this.fault('TOO_LONG', `At most ${TAGS_MAX} tags are allowed.`, ['tags'], { limit: TAGS_MAX });
      return [];
    }
    tags.forEach((tag, index) => {
      const path = ['tags', String(index)];
      if (tag === '') this.fault('INVALID_ARGUMENT', 'A tag must not be empty.', path);
      else this.#checkText(tag, TAG_MAX, path);
    });
    return tags;
  }

  #metadata(entries: FieldsMessage['metadata']): Metadata {
    if (entries.length > METADATA_MAX) {
      this.fault('TOO_LONG', `metadata has more than ${METADATA_MAX} entries.`, ['metadata'], { limit: METADATA_MAX });
      return [];
    }
    const total = entries.reduce((sum, { key, value }) => sum + key.length + String(value).length, 0);
    if (total > METADATA_TOTAL_MAX) {
      const message = `metadata has ${total} characters in all; at most ${METADATA_TOTAL_MAX} are allowed.`;
      this.fault('TOO_LONG', message, ['metadata'], { limit: METADATA_TOTAL_MAX });
      return [];
    }
    return entries.map(({ key, value }) => {
      const path = ['metadata', key];
      if (key === '') this.fault('INVALID_ARGUMENT', 'A key of metadata must not be empty.', ['metadata']);
      this.#checkText(key, METADATA_KEY_MAX, path);
      if (typeof value === 'string') this.#checkText(value, METADATA_VALUE_MAX, path, true);
      else if (typeof value === 'object' && value !== null) {
        this.fault('INVALID_ARGUMENT', `metadata.${key} must be a string, a number, true, false or null.`, path);
      }
      return [key, (value ?? null) as MetadataValue] as const;
    });
  }

  #date(name: string, value: string | undefined): Date | undefined {
    if (value === undefined) return undefined;
    const date = parseDateTime(value);
    if (!date) {
      const message = `${name} is not an RFC 3339 date and time with a zone, like 2030-01-31T18:00:00Z.`;
      this.fault('DATE_INVALID', message, [name]);
    }
    return date;
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\x00-\x1f\x7f]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL_BUT_LINES = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/;
