import { Click, Trigger } from '../../gen/proto/waypost/click/v1/click.js';

const EMPTY: Click = Object.freeze(Click.decode(new Uint8Array()));
/** Longer than any click: its texts are cut to 1,000 characters, those of a campaign to 100. */
const scratch = Buffer.allocUnsafe(16_384);
const TRIGGERS: Readonly<Record<string, number>> = { [Trigger.LINK]: 1, [Trigger.QR]: 2 };
/** Low 32 bits. */
const LOW = 2 ** 32;
/** Of a text so short the length takes one byte, whatever its characters. */
const SHORT = 42;

/**
 * Encodes a click to a message that decodes to the same as that of `Click.encode`, in a tenth of its time, which was a
 * third of what a click cost. A field that click.proto gets must be written here: the test fails until it is.
 */
export function encodeClick(click: Click): Uint8Array {
  scratch[0] = 0x0a;
  scratch[1] = click.id.length;
  scratch.set(click.id, 2);
  let at = 2 + click.id.length;
  at = writeVarint(0x10, click.timeMs, at);
  at = writeText(0x1a, click.tenantId, at);
  at = writeText(0x22, click.linkId, at);
  at = writeText(0x2a, click.groupId, at);
  at = writeText(0x32, click.domainId, at);
  at = writeText(0x3a, click.shortCode, at);
  at = writeVarint(0x40, click.targetVersion, at);
  if (click.visitor !== undefined) {
    scratch[at] = 0x49;
    scratch.writeUInt32LE(click.visitor % LOW, at + 1);
    scratch.writeUInt32LE(Math.floor(click.visitor / LOW), at + 5);
    at += 9;
  }
  at = writeText(0x52, click.saltId, at);
  at = writeText(0x5a, click.country, at);
  at = writeText(0x62, click.userAgent, at);
  at = writeText(0x6a, click.referrer, at);
  at = writeText(0x72, click.language, at);
  if (click.flags) at = writeFlags(click.flags, at);
  at = writeVarint(0x180, click.status, at);
  at = writeVarint(0x188, click.costUs, at);
  at = writeVarint(0x190, TRIGGERS[click.trigger] ?? 0, at);
  at = writeVarint(0x1a0, click.adClick ? 1 : 0, at);
  // Few have one. A message that follows another is one with it.
  if (click.campaign) at += writeBytes(Click.encode({ ...EMPTY, campaign: click.campaign }).finish(), at);
  return Buffer.from(scratch.subarray(0, at));
}

/** @param tag as its bytes stand in the message, the first in the low byte */
function writeTag(tag: number, at: number): number {
  if (tag < 0x100) {
    scratch[at] = tag;
    return at + 1;
  }
  scratch[at] = tag & 0xff;
  scratch[at + 1] = tag >> 8;
  return at + 2;
}

/** 0 is not written. @throws for what is no whole number from 0 on: it would become another */
function writeVarint(tag: number, value: number, at: number): number {
  if (value === 0) return at;
  if (!Number.isSafeInteger(value) || value < 0) throw new Error(`${value} can't be encoded`);
  let end = writeTag(tag, at);
  let rest = value;
  while (rest >= 0x80) {
    scratch[end++] = (rest % 0x80) | 0x80;
    rest = Math.floor(rest / 0x80);
  }
  scratch[end++] = rest;
  return end;
}

/** '' is not written. */
function writeText(tag: number, text: string, at: number): number {
  if (text === '') return at;
  scratch[at] = tag;
  if (text.length <= SHORT) {
    const length = writeCharacters(text, at + 2);
    scratch[at + 1] = length;
    return at + 2 + length;
  }
  const length = writeCharacters(text, at + 3);
  // Two bytes even where one would do: the length is known only now.
  scratch[at + 1] = (length & 0x7f) | 0x80;
  scratch[at + 2] = length >> 7;
  return at + 3 + length;
}

/** Bytes written. Nearly all are ASCII, for which a call of the native writer takes longer than the loop. */
function writeCharacters(text: string, at: number): number {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 0x7f) return scratch.write(text, at);
    scratch[at + i] = code;
  }
  return text.length;
}

function writeFlags({ head, prefetch }: NonNullable<Click['flags']>, at: number): number {
  let end = at + 2;
  if (head) {
    scratch[end++] = 0x08;
    scratch[end++] = 1;
  }
  if (prefetch) {
    scratch[end++] = 0x10;
    scratch[end++] = 1;
  }
  scratch[at] = 0x7a;
  scratch[at + 1] = end - at - 2;
  return end;
}

function writeBytes(bytes: Uint8Array, at: number): number {
  scratch.set(bytes, at);
  return bytes.length;
}
