/**
 * JSON streams. A message is stored as its original text and a comma, so a read returns the stored bytes in
 * brackets, without the last comma. Messages are never parsed and serialised again: that would round large numbers
 * and drop repeated keys.
 */
import { SondeError } from '../errors.js';
import { JsonScan } from './json-scan.js';

const COMMA = 0x2c;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const [OPEN, CLOSE] = [0x5b, 0x5d];
const [OPEN_OBJECT, CLOSE_OBJECT] = [0x7b, 0x7d];

/** Scanned per turn of the event loop, which takes about a millisecond; other requests run in between. */
const PIECE_BYTES = 64 * 1024;

/** Validates a body and returns its stored form. Each element of a top-level array is a message; `[]` has none. */
export async function storeJson(body: Uint8Array): Promise<Uint8Array> {
  const bytes = trim(body);
  const scan = new JsonScan();
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  for (let from = 0; from < bytes.length; from += PIECE_BYTES) {
    if (from > 0) await new Promise<void>((resolve) => setTimeout(resolve));
    const piece = bytes.subarray(from, from + PIECE_BYTES);
    refuseInvalidUtf8(decoder, piece);
    scan.push(piece);
  }
  scan.finish();
  if (!scan.isArray) return withComma(bytes, 0, bytes.length);
  if (scan.isEmpty) return new Uint8Array(0);
  // The text between the brackets of a valid array is already in stored form, except for the last comma.
  return withComma(bytes, 1, bytes.length - 1);
}

/** The JSON array of stored messages; the last comma becomes the closing bracket. */
export function jsonArray(stored: Uint8Array): Uint8Array {
  const array = new Uint8Array(stored.length + 1);
  array[0] = OPEN;
  array.set(stored, 1);
  array[stored.length] = CLOSE;
  return array;
}

/** Where the `count`-th message of a stored record ends, or undefined if it has fewer. */
export function endOfMessage(record: Uint8Array, count: number): number | undefined {
  let depth = 0;
  let left = count;
  for (let i = 0; i < record.length; i++) {
    const byte = record[i] ?? 0;
    if (byte === QUOTE) i = skipString(record, i);
    else if (byte === OPEN || byte === OPEN_OBJECT) depth++;
    else if (byte === CLOSE || byte === CLOSE_OBJECT) depth--;
    else if (byte === COMMA && depth === 0 && --left === 0) return i + 1;
  }
  return undefined;
}

function skipString(bytes: Uint8Array, start: number): number {
  let i = start + 1;
  while (i < bytes.length && bytes[i] !== QUOTE) i += bytes[i] === BACKSLASH ? 2 : 1;
  return i;
}

/** A character cut off at the end of the body needs no check: no JSON text ends in one. */
function refuseInvalidUtf8(decoder: TextDecoder, piece: Uint8Array): void {
  try {
    decoder.decode(piece, { stream: true });
  } catch (cause) {
    throw new SondeError('INVALID_REQUEST', 'The body is not UTF-8 text.', { cause });
  }
}

/** Removes a byte order mark and the whitespace that JSON allows around a value. */
function trim(body: Uint8Array): Uint8Array {
  let from = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? 3 : 0;
  let to = body.length;
  while (from < to && isBlank(body[from])) from++;
  while (to > from && isBlank(body[to - 1])) to--;
  return body.subarray(from, to);
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function withComma(bytes: Uint8Array, from: number, to: number): Uint8Array {
  const stored = new Uint8Array(to - from + 1);
  stored.set(bytes.subarray(from, to));
  stored[to - from] = COMMA;
  return stored;
}
