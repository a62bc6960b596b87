/**
 * Encodes server-sent events as the protocol defines them: a `data` event, always directly followed by a `control`
 * event with the reader's offset. Each line of a text becomes a `data:` line, whatever its line break, so a payload
 * cannot end an event or start another. Types other than text and JSON are sent as base64.
 *
 * An event is encoded in pieces of bounded size, because a text of line ends grows to six times its length.
 */
import { concatBytes } from '../net/index.js';
import { isJson, isText } from './media-type.js';

const encoder = new TextEncoder();
const DATA = encoder.encode('event: data\ndata:');
const NEXT_LINE = encoder.encode('\ndata:');
const END = encoder.encode('\n\n');
const OPEN = encoder.encode('[');
const CLOSE = encoder.encode(']');

const LF = 0x0a;
const CR = 0x0d;

/** Bytes of a payload that are encoded at a time: at most 192 KiB of lines, or 43 KiB of base64. */
const SLICE_BYTES = 32 * 1024;

export interface Control {
  readonly streamNextOffset: string;
  readonly streamCursor?: string;
  readonly upToDate?: true;
  readonly streamClosed?: true;
  /** Additional fields of the last event of a closed stream. */
  readonly [fact: string]: string | true | undefined;
}

export function controlFrame(control: Control): Uint8Array {
  return encoder.encode(`event: control\ndata:${JSON.stringify(control)}\n\n`);
}

/** A whole data event. `stored` is one or more whole records. */
export function dataFrame(stored: Uint8Array, contentType: string): Uint8Array {
  return concatBytes([...dataPieces(stored, contentType)]);
}

/** A data event in pieces, each encoded when it is asked for. */
export function* dataPieces(stored: Uint8Array, contentType: string): Generator<Uint8Array> {
  yield DATA;
  if (isJson(contentType)) {
    // Stored messages end in commas; the last one becomes the closing bracket.
    yield OPEN;
    yield* linePieces(stored.subarray(0, stored.length - 1));
    yield CLOSE;
  } else if (isText(contentType)) yield* linePieces(stored);
  else yield* base64Pieces(stored);
  yield END;
}

/** The text with every line break replaced by one that starts a `data:` line. */
function* linePieces(text: Uint8Array): Generator<Uint8Array> {
  for (let from = 0; from < text.length; ) {
    let to = Math.min(text.length, from + SLICE_BYTES);
    if (text[to - 1] === CR && text[to] === LF) to++;
    yield withDataLines(text.subarray(from, to));
    from = to;
  }
}

/** Counts the line breaks first, so that one buffer of the right size is filled. */
function withDataLines(text: Uint8Array): Uint8Array {
  let breaks = 0;
  let breakBytes = 0;
  for (let i = 0; i < text.length; i += 1) {
    const length = breakAt(text, i);
    if (length === 0) continue;
    breaks += 1;
    breakBytes += length;
    i += length - 1;
  }
  if (breaks === 0) return text;
  const out = new Uint8Array(text.length - breakBytes + breaks * NEXT_LINE.length);
  let at = 0;
  for (let i = 0; i < text.length; i += 1) {
    const length = breakAt(text, i);
    if (length === 0) {
      out[at++] = text[i] ?? 0;
      continue;
    }
    for (let n = 0; n < NEXT_LINE.length; n += 1) out[at++] = NEXT_LINE[n] ?? 0;
    i += length - 1;
  }
  return out;
}

/** The length of the line break at this index: 2 for CRLF, 0 if there is none. */
function breakAt(text: Uint8Array, index: number): 0 | 1 | 2 {
  const byte = text[index];
  if (byte === LF) return 1;
  if (byte !== CR) return 0;
  return text[index + 1] === LF ? 2 : 1;
}

/** A multiple of three bytes, so that no piece but the last is padded. */
const BASE64_BYTES = SLICE_BYTES - (SLICE_BYTES % 3);

function* base64Pieces(bytes: Uint8Array): Generator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += BASE64_BYTES)
    yield base64(bytes.subarray(from, from + BASE64_BYTES));
}

const ALPHABET = encoder.encode('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/');
const PAD = 0x3d;

/** Encodes bytes to bytes. `btoa` would need strings for both the input and the output. */
export function base64(bytes: Uint8Array): Uint8Array {
  const out = new Uint8Array(Math.ceil(bytes.length / 3) * 4);
  let at = 0;
  for (let i = 0; i < bytes.length; i += 3) {
    const a = bytes[i] ?? 0;
    const b = bytes[i + 1];
    const c = bytes[i + 2];
    const bits = (a << 16) | ((b ?? 0) << 8) | (c ?? 0);
    out[at++] = ALPHABET[bits >> 18] ?? 0;
    out[at++] = ALPHABET[(bits >> 12) & 63] ?? 0;
    out[at++] = b === undefined ? PAD : (ALPHABET[(bits >> 6) & 63] ?? 0);
    out[at++] = c === undefined ? PAD : (ALPHABET[bits & 63] ?? 0);
  }
  return out;
}
