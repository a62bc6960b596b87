/**
 * A stream as far as it was read: its bytes, and the lines, server-sent events or JSON messages parsed from them as
 * they arrive. Only whole responses are added, together with the offset after them, so that a read repeated after a
 * broken connection neither loses nor doubles a byte.
 */
import { type SseEvent, SseParser } from './sse';

/** The most bytes that a page keeps; reading stops there until the user asks for more. */
export const MODEL_BYTES_MAX = 32 * 1024 * 1024;

export class StreamModel {
  readonly contentType: string;
  readonly #chunks: Uint8Array[] = [];
  readonly #ends: number[] = [];
  readonly #decoder = new TextDecoder();
  readonly #sse = new SseParser();
  readonly lines: string[] = [''];
  readonly events: SseEvent[] = [];
  readonly messages: unknown[] = [];
  /** JSON text that is not complete yet: a response, unlike a stream, is one document that arrives in pieces. */
  #pendingJson = '';
  bytes = 0;

  constructor(contentType: string) {
    this.contentType = contentType;
  }

  get isJson(): boolean {
    return /^application\/json\b/.test(this.contentType);
  }

  get isSse(): boolean {
    return /^text\/event-stream\b/.test(this.contentType);
  }

  get isFull(): boolean {
    return this.bytes >= MODEL_BYTES_MAX;
  }

  push(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    this.#chunks.push(chunk);
    this.bytes += chunk.length;
    this.#ends.push(this.bytes);
    const text = this.#decoder.decode(chunk, { stream: true });
    this.#pushLines(text);
    if (this.isSse) for (const event of this.#sse.push(text)) this.events.push(event);
    if (this.isJson) this.#pushJson(text);
  }

  /** Called when no more bytes follow. */
  finish(): void {
    if (this.#pendingJson !== '') this.#addMessages(this.#pendingJson);
    this.#pendingJson = '';
  }

  /** Parses what is complete at once, and the rest at the end: parsing it with every piece would be quadratic. */
  #pushJson(text: string): void {
    if (this.#pendingJson !== '' || !this.#addMessages(text)) this.#pendingJson += text;
  }

  /** Returns whether the text was a whole document. */
  #addMessages(text: string): boolean {
    const found = messagesIn(text);
    // Not with spread: a read can have more messages than a call can have arguments.
    for (const message of found ?? []) this.messages.push(message);
    return found !== undefined;
  }

  #pushLines(text: string): void {
    const [first = '', ...rest] = text.split('\n');
    this.lines[this.lines.length - 1] += first;
    for (const line of rest) this.lines.push(line);
  }

  /** Returns the bytes from `start` to `end`, which may span several chunks. */
  slice(start: number, end: number): Uint8Array {
    const wanted = Math.max(0, Math.min(end, this.bytes) - start);
    const found = new Uint8Array(wanted);
    let filled = 0;
    for (let at = this.#chunkAt(start); filled < wanted && at < this.#chunks.length; at += 1) {
      const chunk = this.#chunks[at] as Uint8Array;
      const from = start + filled - ((this.#ends[at] as number) - chunk.length);
      const part = chunk.subarray(from, from + wanted - filled);
      found.set(part, filled);
      filled += part.length;
    }
    return found;
  }

  #chunkAt(position: number): number {
    let [low, high] = [0, this.#ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#ends[middle] as number) <= position) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** A read of a JSON stream is an array of messages. Undefined if the text is not JSON. */
function messagesIn(text: string): readonly unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [value];
  } catch {
    return undefined;
  }
}
