/**
 * Encodes server-sent events as the protocol defines them: a `data` event, always directly followed by a `control`
 * event with the reader's offset. Each line of a text becomes a `data:` line, whatever its line break, so a payload
 * cannot end an event or start another. Types other than text and JSON are sent as base64.
 */
import { concatBytes } from '../net/index.js';
import { jsonArray } from './json-messages.js';
import { isJson, isText } from './media-type.js';

const encoder = new TextEncoder();
const DATA = encoder.encode('event: data\n');
const LINE = encoder.encode('data:');
const NEWLINE = encoder.encode('\n');

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

/** `stored` is one or more whole records. */
export function dataFrame(stored: Uint8Array, contentType: string): Uint8Array {
  const shown = isJson(contentType) ? jsonArray(stored) : stored;
  if (isText(contentType)) return concatBytes([DATA, ...textLines(shown), NEWLINE]);
  return concatBytes([DATA, LINE, base64(stored), NEWLINE, NEWLINE]);
}

function textLines(bytes: Uint8Array): Uint8Array[] {
  const parts: Uint8Array[] = [];
  let from = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte !== LF && byte !== CR) continue;
    parts.push(LINE, bytes.subarray(from, i), NEWLINE);
    if (byte === CR && bytes[i + 1] === LF) i++;
    from = i + 1;
  }
  parts.push(LINE, bytes.subarray(from), NEWLINE);
  return parts;
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
