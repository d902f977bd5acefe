import type { TrafficClass } from '../enrich/traffic-class.js';
import { type Dimension, QUARTER_MS } from './rollup.js';

/** Visits by class; a class without any is absent. */
type Classes = Partial<Record<TrafficClass, number>>;

/** One hour of one link, or of a tenant in one partition. */
export interface Hour {
  /** Milliseconds since 1970. */
  start: number;
  x: Classes;
  /** By the start of each quarter hour; empty unless it was asked for. */
  quarters: [number, Classes][];
  /** Those that were asked for and are not empty: keys as `escapeKey` wrote them. */
  maps: Map<Dimension, CountsInBytes>;
}

/** Element types of BSON (bsonspec.org) that a roll-up has. */
const DOUBLE = 0x01;
const STRING = 0x02;
const DOCUMENT = 0x03;
const DATE = 0x09;
const INT32 = 0x10;
const INT64 = 0x12;

/**
 * Reads a roll-up from its bytes. A month of one link has some 100,000 counts: as objects of the driver they take ten times
 * as long as the database takes to send them.
 */
export function readHour(bytes: Buffer): Hour {
  const hour: Hour = { start: 0, x: {}, quarters: [], maps: new Map() };
  eachElement(bytes, 0, (name, type, at) => {
    if (type !== DOCUMENT) return;
    if (name === '_id') {
      eachElement(bytes, at, (field, _type, value) => {
        if (field === 'h') hour.start = Number(bytes.readBigInt64LE(value));
      });
    } else if (name === 'x') hour.x = classesAt(bytes, at);
    else if (name === 'q') {
      eachElement(bytes, at, (quarter, _type, value) =>
        hour.quarters.push([Number(quarter) * QUARTER_MS, classesAt(bytes, value)]),
      );
    } else hour.maps.set(name as Dimension, new CountsInBytes(bytes, at));
  });
  for (const quarter of hour.quarters) quarter[0] += hour.start;
  return hour;
}

/** A map of counts that has not been read yet. */
export class CountsInBytes {
  readonly #bytes: Buffer;
  readonly #at: number;

  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes;
    this.#at = at;
  }

  forEach(add: (key: string, count: number) => void): void {
    eachElement(this.#bytes, this.#at, (key, type, at) => add(key, numberAt(this.#bytes, type, at)));
  }
}

function classesAt(bytes: Buffer, at: number): Classes {
  const classes: Classes = {};
  new CountsInBytes(bytes, at).forEach((name, count) => {
    classes[name as TrafficClass] = count;
  });
  return classes;
}

/** The elements of the document that begins at `at`: name, type, and where the value is. */
function eachElement(bytes: Buffer, at: number, visit: (name: string, type: number, at: number) => void): void {
  const end = at + bytes.readInt32LE(at) - 1;
  for (let next = at + 4; next < end; ) {
    const type = bytes[next] as number;
    let hash = 0;
    let nameEnd = next + 1;
    for (; bytes[nameEnd] !== 0; nameEnd++) hash = Math.imul(hash ^ (bytes[nameEnd] as number), 0x01000193);
    const value = nameEnd + 1;
    visit(nameOf(bytes, next + 1, nameEnd, hash), type, value);
    next = value + sizeOf(bytes, type, value);
  }
}

/** Names by their hash, the last of each: hour after hour they are the same, and to make a string takes longest. */
const names: string[] = Array.from({ length: 4_096 }, () => '');

function nameOf(bytes: Buffer, start: number, end: number, hash: number): string {
  const slot = (hash >>> 0) % names.length;
  const known = names[slot] as string;
  if (isName(known, bytes, start, end)) return known;
  const name = bytes.toString('utf8', start, end);
  names[slot] = name;
  return name;
}

/** Of ASCII alone. */
function isName(name: string, bytes: Buffer, start: number, end: number): boolean {
  if (name.length !== end - start) return false;
  for (let i = 0; i < name.length; i++) if (name.charCodeAt(i) !== bytes[start + i]) return false;
  return true;
}

function sizeOf(bytes: Buffer, type: number, at: number): number {
  switch (type) {
    case INT32:
      return 4;
    case DOUBLE:
    case DATE:
    case INT64:
      return 8;
    case DOCUMENT:
      return bytes.readInt32LE(at);
    case STRING:
      return 4 + bytes.readInt32LE(at);
    default:
      throw new Error(`a roll-up has an element of type ${type}`);
  }
}

function numberAt(bytes: Buffer, type: number, at: number): number {
  if (type === INT32) return bytes.readInt32LE(at);
  return type === INT64 ? Number(bytes.readBigInt64LE(at)) : bytes.readDoubleLE(at);
}
