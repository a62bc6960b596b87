/**
 * Encodes server-sent events as the protocol defines them: a `data` event, always directly followed by a `control`
 * event with the reader's offset. Each line of a text becomes a `data:` line, whatever its line break, so a payload
 * cannot end an event or start another. Types other than text and JSON are sent as base64.
 *
 * A long event is encoded in frames of bounded size, because a text of line ends grows to six times its length.
 */
import { isJson, isText } from './media-type.js';

const encoder = new TextEncoder();
const DATA = encoder.encode('event: data\ndata:');
const NEXT_LINE = encoder.encode('\ndata:');
const END = encoder.encode('\n\n');
const JSON_START = encoder.encode('event: data\ndata:[');
const JSON_END = encoder.encode(']\n\n');

const LF = 0x0a;
const CR = 0x0d;

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
  const { open, close, payload, encoding } = partsOf(stored, contentType);
  const length = open.length + encoding.lengthOf(payload) + close.length;
  const out = new Uint8Array(length);
  out.set(open);
  encoding.fill({ from: payload, at: 0 }, { to: out, at: open.length });
  out.set(close, length - close.length);
  return out;
}

/**
 * A data event in frames, for an event of any length. Each fills a buffer that `bufferOf` gives; the buffer may be given
 * again once its frame has been sent.
 */
export function* dataFrames(
  stored: Uint8Array,
  contentType: string,
  bufferOf: () => Uint8Array,
): Generator<Uint8Array> {
  const { open, close, payload, encoding } = partsOf(stored, contentType);
  let to = bufferOf();
  to.set(open);
  let at = open.length;
  for (let read = 0; ; ) {
    const filled = encoding.fill({ from: payload, at: read }, { to, at });
    read = filled.read;
    at = filled.written;
    if (read === payload.length && at + close.length <= to.length) break;
    yield to.subarray(0, at);
    to = bufferOf();
    at = 0;
  }
  to.set(close, at);
  yield to.subarray(0, at + close.length);
}

/** The content of a data event, and what stands around it. */
function partsOf(stored: Uint8Array, contentType: string) {
  if (isJson(contentType)) {
    // Stored messages end in commas; the last one becomes the closing bracket.
    const payload = stored.subarray(0, Math.max(0, stored.length - 1));
    return { open: JSON_START, close: JSON_END, payload, encoding: LINES };
  }
  const encoding = isText(contentType) ? LINES : BASE64;
  return { open: DATA, close: END, payload: stored, encoding };
}

interface Source {
  readonly from: Uint8Array;
  readonly at: number;
}

interface Target {
  readonly to: Uint8Array;
  readonly at: number;
}

interface Encoding {
  /** The bytes that the payload becomes. */
  lengthOf(payload: Uint8Array): number;
  /** Encodes from one place to another until either ends, and returns both places. */
  fill(source: Source, target: Target): { readonly read: number; readonly written: number };
}

/** Text in which every line break is replaced by one that starts a `data:` line. */
const LINES: Encoding = {
  lengthOf(payload) {
    let length = payload.length;
    for (let i = 0; i < payload.length; i++) {
      const byte = payload[i];
      if (byte === LF) length += payload[i - 1] === CR ? -1 : NEXT_LINE.length - 1;
      else if (byte === CR) length += NEXT_LINE.length - 1;
    }
    return length;
  },
  fill({ from, at: start }, { to, at: target }) {
    let read = start;
    let written = target;
    for (; read < from.length; read++) {
      const byte = from[read] ?? 0;
      if (byte !== LF && byte !== CR) {
        if (written === to.length) break;
        to[written++] = byte;
        continue;
      }
      if (written + NEXT_LINE.length > to.length) break;
      if (byte === CR && from[read + 1] === LF) read++;
      for (let n = 0; n < NEXT_LINE.length; n++) to[written++] = NEXT_LINE[n] ?? 0;
    }
    return { read, written };
  },
};

const ALPHABET = encoder.encode('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/');
const PAD = 0x3d;

/** From bytes to bytes. `btoa` would need strings for both the input and the output. */
const BASE64: Encoding = {
  lengthOf: ({ length }) => Math.ceil(length / 3) * 4,
  fill({ from, at: start }, { to, at: target }) {
    let read = start;
    let written = target;
    for (; read < from.length && written + 4 <= to.length; read += 3) {
      const a = from[read] ?? 0;
      const b = from[read + 1];
      const c = from[read + 2];
      const bits = (a << 16) | ((b ?? 0) << 8) | (c ?? 0);
      to[written++] = ALPHABET[bits >> 18] ?? 0;
      to[written++] = ALPHABET[(bits >> 12) & 63] ?? 0;
      to[written++] = b === undefined ? PAD : (ALPHABET[(bits >> 6) & 63] ?? 0);
      to[written++] = c === undefined ? PAD : (ALPHABET[bits & 63] ?? 0);
    }
    return { read: Math.min(read, from.length), written };
  },
};
