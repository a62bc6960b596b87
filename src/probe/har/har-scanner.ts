/**
 * Splits a HAR file while it is streamed, without ever holding it whole: it emits `log.entries` one entry at a time,
 * and every other member of `log` as a whole. It tracks only strings, escapes and brackets, and parses each extracted
 * value as JSON. A file that is truncated, nested too deeply or has an entry over the limit is rejected with the
 * reason.
 */
import { SondeError } from '../../errors.js';

export interface HarLimits {
  /** Bytes of the whole file. */
  readonly bytesMax: number;
  readonly entries: number;
  /** Characters of one entry, or of one other member of `log`. */
  readonly entryChars: number;
}

export const HAR_LIMITS: HarLimits = {
  bytesMax: 512 * 1024 * 1024,
  entries: 20_000,
  entryChars: 32 * 1024 * 1024,
};

export interface HarSink {
  entry(value: unknown): void;
  member(name: string, value: unknown): void;
}

const LOG_DEPTH = 2;
const ENTRIES_DEPTH = 3;
const DEPTH_MAX = 512;

export class HarScanner {
  readonly #sink: HarSink;
  readonly #limits: HarLimits;
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** The last key at the depth of the root or of `log`. */
  #key = '';
  #string = '';
  #sawLog = false;
  #inEntries = false;
  /** The value being extracted, in pieces. */
  #value: string[] | undefined;
  #valueChars = 0;
  #valueDepth = 0;
  #entries = 0;
  #done = false;

  constructor(sink: HarSink, limits: HarLimits = HAR_LIMITS) {
    this.#sink = sink;
    this.#limits = limits;
  }

  write(text: string): void {
    let from = 0;
    for (let at = 0; at < text.length; at += 1) {
      const char = text.charCodeAt(at);
      if (this.#inString) this.#readString(char, text[at] ?? '');
      else if (char === QUOTE) this.#openString();
      else if (char === OPEN_BRACE || char === OPEN_BRACKET) {
        if (this.#opensValue(char)) from = at;
        this.#enter(char);
      } else if ((char === CLOSE_BRACE || char === CLOSE_BRACKET) && this.#closesValue()) {
        this.#append(text.slice(from, at + 1));
        this.#emit();
      }
    }
    if (this.#value) this.#append(text.slice(from));
  }

  end(): void {
    if (!this.#sawLog) throw invalid('it has no "log" object');
    if (!this.#done || this.#depth !== 0) throw invalid('it is truncated');
  }

  #readString(char: number, text: string): void {
    if (this.#escaped) this.#escaped = false;
    else if (char === BACKSLASH) this.#escaped = true;
    else if (char === QUOTE) {
      this.#inString = false;
      if (this.#depth <= LOG_DEPTH && !this.#value) this.#key = this.#string;
      return;
    }
    // Only the keys of the two outer objects matter, and those are short.
    if (this.#depth <= LOG_DEPTH && !this.#value && this.#string.length < 64) this.#string += text;
  }

  #openString(): void {
    this.#inString = true;
    this.#string = '';
  }

  #opensValue(char: number): boolean {
    if (this.#value) return false;
    const isEntry = this.#inEntries && this.#depth === ENTRIES_DEPTH && char === OPEN_BRACE;
    const isMember = this.#sawLog && !this.#inEntries && this.#depth === LOG_DEPTH && this.#key !== 'entries';
    if (!isEntry && !isMember) return false;
    this.#value = [];
    this.#valueChars = 0;
    this.#valueDepth = this.#depth;
    return true;
  }

  #closesValue(): boolean {
    this.#leave();
    return this.#value !== undefined && this.#depth === this.#valueDepth;
  }

  #enter(char: number): void {
    if (this.#depth === 1 && this.#key === 'log' && char === OPEN_BRACE) this.#sawLog = true;
    if (this.#sawLog && this.#depth === LOG_DEPTH && this.#key === 'entries' && char === OPEN_BRACKET) {
      this.#inEntries = true;
    }
    this.#depth += 1;
    if (this.#depth > DEPTH_MAX) throw invalid(`it nests deeper than ${DEPTH_MAX} levels`);
  }

  #leave(): void {
    this.#depth -= 1;
    if (this.#depth < 0) throw invalid('its brackets do not match');
    if (this.#inEntries && this.#depth === LOG_DEPTH) this.#inEntries = false;
    if (this.#depth === 0) this.#done = true;
  }

  #append(piece: string): void {
    this.#valueChars += piece.length;
    if (this.#valueChars > this.#limits.entryChars) {
      throw invalid(`one of its entries has more than ${this.#limits.entryChars} characters`);
    }
    this.#value?.push(piece);
  }

  #emit(): void {
    const text = (this.#value ?? []).join('');
    this.#value = undefined;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (cause) {
      throw invalid(
        this.#inEntries ? `entry ${this.#entries + 1} is not JSON` : `"${this.#key}" is not JSON`,
        cause,
      );
    }
    if (!this.#inEntries) return this.#sink.member(this.#key, value);
    this.#entries += 1;
    if (this.#entries > this.#limits.entries)
      throw invalid(`it has more than ${this.#limits.entries} entries`);
    this.#sink.entry(value);
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

export function invalid(why: string, cause?: unknown): SondeError {
  return new SondeError('HAR_INVALID', `this is not a usable HAR file: ${why}`, { cause });
}
