/**
 * Large response bodies that are assembled from stored text: read, rendered, encoded and sent in pieces, so that none of
 * it is one long turn of the event loop.
 */
import type { TypedResponse } from 'hono';
import { type Rendering, renderStored } from '../audits/index.js';
import { jsonPieces } from '../json-pieces.js';
import type { Reply } from '../kernel/reply.js';
import { type Turn, timerTurn } from '../loop-turns.js';
import { concatBytes } from '../net/index.js';
import type { AppContext } from './app-env.js';
import { NO_STORE } from './views/operation.js';

/** Renders stored reports where that delays no other request. */
export interface ReportRenderer {
  /** The texts are in pieces. Resolves to chunks of UTF-8. */
  render(
    tenantId: string,
    rendering: Rendering,
    texts: readonly (readonly string[])[],
  ): Promise<readonly Uint8Array[]>;
}

const PIECE_MS = 8;

/** For hosts without threads. */
export function createInlineRenderer(turn: Turn = timerTurn): ReportRenderer {
  return {
    async render(_tenantId, rendering, texts) {
      const whole: string[] = [];
      for (const pieces of texts) whole.push(pieces.join(''));
      return encodeInTurns(renderStored(rendering, whole), turn);
    },
  };
}

const encoder = new TextEncoder();
/** Characters that are encoded at once. */
const CHUNK_CHARS = 64 * 1024;

/** Encodes pieces of a text; many small ones become one chunk. */
export async function encodeInTurns(pieces: Iterable<string>, turn: Turn): Promise<readonly Uint8Array[]> {
  const chunks: Uint8Array[] = [];
  let waiting = '';
  let until = performance.now() + PIECE_MS;
  for (const piece of pieces) {
    waiting += piece;
    if (waiting.length >= CHUNK_CHARS) {
      chunks.push(encoder.encode(waiting));
      waiting = '';
    }
    if (performance.now() < until) continue;
    await turn();
    until = performance.now() + PIECE_MS;
  }
  if (waiting !== '') chunks.push(encoder.encode(waiting));
  return chunks;
}

/** Sends a value as JSON in pieces. `StoredJson` in it is sent as it is. */
export async function sendJson<T>(c: AppContext, value: T, turn: Turn): Promise<SentJson<T>> {
  return sendChunks<T>(c, await encodeInTurns(jsonPieces(value), turn), turn);
}

/** The same for an operation of the table. */
export async function replyWithJson(value: unknown, turn: Turn): Promise<Reply> {
  const { body, headers } = bodyOf(await encodeInTurns(jsonPieces(value), turn), turn);
  return {
    status: 200,
    headers: { 'Content-Type': 'application/json', ...headers, ...NO_STORE },
    body: body instanceof Uint8Array ? { kind: 'bytes', bytes: body } : { kind: 'web', stream: body },
  };
}

/** For the types of a route: the JSON of a `T`. */
type SentJson<T> = Response & TypedResponse<T, 200, 'json'>;

/** Sends JSON that is already encoded. */
export function sendChunks<T>(c: AppContext, chunks: readonly Uint8Array[], turn: Turn): SentJson<T> {
  const { body, headers } = bodyOf(chunks, turn);
  return c.body(body, 200, { 'Content-Type': 'application/json', ...headers, ...NO_STORE }) as never;
}

/** Up to this size, a body is sent at once. */
const WHOLE_BYTES_MAX = 1024 * 1024;

/** A body of known length that is sent chunk by chunk, as fast as it is read. */
export function bodyOf(chunks: readonly Uint8Array[], turn: Turn) {
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  if (length <= WHOLE_BYTES_MAX) return { body: concatBytes(chunks) as Uint8Array<ArrayBuffer>, headers: {} };
  const left = chunks.values();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value, done } = left.next();
        if (done) return controller.close();
        await turn();
        controller.enqueue(value);
      },
    },
    { highWaterMark: 0 },
  );
  return { body, headers: { 'Content-Length': String(length) } };
}
