/**
 * Finds where a fork branches off: at an offset that the source returned, at its tail, or a number of bytes (messages,
 * for JSON) into the append that follows an offset. No bytes are copied; the fork stores which streams it shares bytes
 * with, and up to where.
 */
import { asSondeError, SondeError } from '../errors.js';
import type { Lifetime } from './expiry.js';
import { endOfMessage } from './json-messages.js';
import { isJson } from './media-type.js';
import { comparePositions, invalidOffset, type Position, parseOffset, START } from './offset.js';
import { openStream } from './open-stream.js';
import { lineUpTo, planRead } from './read-plan.js';
import { corrupt, readSpans } from './read-spans.js';
import { refuseForged } from './refuse-forged.js';
import { resolvePosition } from './resolve-position.js';
import type { StreamDeps } from './stream-deps.js';
import { keyOf, refresh } from './stream-life.js';
import type { StreamCall } from './stream-response.js';
import type { Ancestor, StreamState } from './stream-store.js';

export interface Fork {
  readonly source: StreamState;
  readonly point: Position;
  readonly inheritedBytes: number;
  readonly ancestors: readonly Ancestor[];
  readonly lifetime: Lifetime;
}

const DEPTH_MAX = 64;
const SUB_OFFSET = /^(0|[1-9]\d{0,14})$/;

export async function resolveFork(deps: StreamDeps, call: StreamCall): Promise<Fork | undefined> {
  const path = call.header('stream-forked-from');
  const offset = call.header('stream-fork-offset');
  const subOffset = readSubOffset(call.header('stream-fork-sub-offset'));
  if (path === null) {
    if (offset === null && subOffset === undefined) return undefined;
    throw new SondeError('INVALID_REQUEST', 'a fork offset needs Stream-Forked-From');
  }
  const source = await openSource(deps, call.idOfPath(path));
  const anchor = offset === null ? source.tail : resolvePosition(source, parseOffset(offset));
  await refuseForged(deps, source, anchor);
  const point = subOffset ? await pointInside(deps, source, { anchor, count: subOffset }) : anchor;
  // A fork of the intact part is allowed: it is the way to continue a damaged stream.
  if (source.corruptFrom && comparePositions(point, source.corruptFrom) > 0) throw corrupt();
  return {
    source,
    point,
    inheritedBytes: await bytesBefore(deps, source, point),
    ancestors: lineOf(source, point),
    lifetime: { ttlSeconds: source.ttlSeconds, expiresAt: source.expiresAt },
  };
}

async function openSource(deps: StreamDeps, id: string | undefined): Promise<StreamState> {
  if (id === undefined)
    throw new SondeError('INVALID_REQUEST', 'Stream-Forked-From must be the path of a stream');
  try {
    return await openStream(deps, id);
  } catch (error) {
    if (asSondeError(error).code !== 'STREAM_GONE') throw error;
    throw new SondeError('STREAM_CONFLICT', 'the source was deleted', { cause: error });
  }
}

function lineOf(source: StreamState, point: Position): Ancestor[] {
  const line = [...lineUpTo(source.ancestors, point), { ...keyOf(source), hash: source.hash, until: point }];
  if (line.length > DEPTH_MAX)
    throw new SondeError('INVALID_REQUEST', `forks can be nested at most ${DEPTH_MAX} levels deep`);
  return line;
}

function readSubOffset(text: string | null): number | undefined {
  if (text === null) return undefined;
  if (!SUB_OFFSET.test(text)) throw invalidOffset('Stream-Fork-Sub-Offset must be a whole number');
  return Number(text);
}

/** The position `count` bytes or messages into the append that begins at `anchor`. */
async function pointInside(
  deps: StreamDeps,
  source: StreamState,
  { anchor, count }: { readonly anchor: Position; readonly count: number },
): Promise<Position> {
  const { spans } = await planRead(deps.store, source, { from: anchor, bytesMax: 1 });
  for await (const { bytes, ends, chunk, lo, next } of readSpans(deps, { spans })) {
    const [end = lo] = ends;
    const length = end - lo;
    const taken = isJson(source.contentType) ? endOfMessage(bytes.subarray(0, length), count) : count;
    if (taken === undefined || taken > length) break;
    return taken === bytes.length ? next : { chunk, position: lo + taken };
  }
  throw invalidOffset('Stream-Fork-Sub-Offset is beyond the end of its append');
}

/**
 * The number of bytes before a position: those before its chunk, plus the position in the chunk. The nearest stream that
 * has the chunk provides it: further ancestors may have another chunk of that number, from after the fork.
 */
async function bytesBefore({ store }: StreamDeps, source: StreamState, point: Position): Promise<number> {
  const nearestFirst = [...source.ancestors].reverse();
  const line = [source, ...(await Promise.all(nearestFirst.map((each) => refresh(store, each))))];
  for (const member of line) {
    if (!member) continue;
    if (member.tail.chunk === point.chunk) return member.totalBytes - member.tail.position + point.position;
    const [row] = await store.chunks(keyOf(member), point.chunk, point.chunk);
    if (row) return row.base + point.position;
  }
  if (comparePositions(point, START) === 0) return 0;
  throw invalidOffset('the fork offset does not exist in the source');
}
