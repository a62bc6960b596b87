/** PUT: makes a stream, or finds that the same one is there already. */
import { SondeError } from '../errors.js';
import { readLifetime } from './expiry.js';
import { resolveFork } from './fork-point.js';
import { storeJson } from './json-messages.js';
import { contentTypeOr, essenceOf, isJson } from './media-type.js';
import { comparePositions, START } from './offset.js';
import { findStream } from './open-stream.js';
import { removeStream } from './remove-stream.js';
import type { StreamAnswer, StreamCall } from './stream-answer.js';
import { asksToClose, closedHeader, nextOffset } from './stream-headers.js';
import { keyOf, newLife } from './stream-life.js';
import type { StreamParts } from './stream-parts.js';
import type { NewStream, StreamKey, StreamState } from './stream-store.js';

export async function createStream(parts: StreamParts, call: StreamCall): Promise<StreamAnswer> {
  const lifetime = readLifetime(call.header('stream-ttl'), call.header('stream-expires-at'));
  const fork = await resolveFork(parts, call);
  const givenType = call.header('content-type');
  const contentType = givenType === null && fork ? fork.source.contentType : contentTypeOr(givenType);
  const existing = await findReusable(parts, call.id);
  const closed = asksToClose(call.header('stream-closed'));
  const wanted: NewStream = {
    id: call.id,
    life: newLife(parts.clock()),
    hash: randomHash(),
    contentType,
    createdAt: parts.clock(),
    ...(fork && lifetime.ttlSeconds === null && lifetime.expiresAt === null ? fork.lifetime : lifetime),
    closed,
    start: fork?.point ?? START,
    inheritedBytes: fork?.inheritedBytes ?? 0,
    ancestors: fork?.ancestors ?? [],
    metadata: null,
    data: existing ? null : await initialData(call, contentType),
    openMax: parts.limits.openStreams,
  };
  if (existing) return answerExisting(existing, wanted, call);
  if (fork && essenceOf(contentType) !== essenceOf(fork.source.contentType)) {
    throw new SondeError('CONTENT_TYPE_MISMATCH', 'a fork has the content type of its source');
  }
  if (fork) await announceFork(parts, fork.source, wanted);
  const made = await parts.store.create(wanted);
  if (fork && !made.created) await parts.store.removeFork(keyOf(fork.source), keyOf(wanted));
  if (made.state === null) throw tooManyOpen(parts);
  if (!made.created) return answerExisting(made.state, wanted, call);
  if (made.state.tail.chunk > wanted.start.chunk) parts.sealer.filled();
  return answer(201, made.state, call);
}

/** A deleted stream keeps its id while forks need it; the last of them may have gone since. */
async function findReusable(parts: StreamParts, id: string): Promise<StreamState | undefined> {
  const existing = await findStream(parts, id);
  if (!existing?.deleted) return existing;
  await removeStream(parts, existing);
  return findStream(parts, id);
}

/** Before the fork exists, so that its source cannot be removed from under it. */
async function announceFork(parts: StreamParts, source: StreamState, fork: NewStream): Promise<void> {
  if (await parts.store.addFork(keyOf(source), { ...keyOf(fork), announcedAt: fork.createdAt })) return;
  throw new SondeError('STREAM_CONFLICT', 'the source was deleted');
}

/** What the server itself keeps as a stream: bytes of one writer, nothing a caller could have named. */
export interface OwnStream extends StreamKey {
  readonly contentType: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  readonly metadata: string;
  /** What it begins with, if anything. */
  readonly data: Uint8Array | null;
  /** Nothing will follow `data`. */
  readonly closed?: boolean;
}

export async function createOwn(parts: StreamParts, stream: OwnStream): Promise<StreamState> {
  const { created, state } = await parts.store.create({
    closed: false,
    ...stream,
    hash: randomHash(),
    createdAt: parts.clock(),
    ttlSeconds: null,
    start: START,
    inheritedBytes: 0,
    ancestors: [],
    openMax: parts.limits.openStreams,
  });
  if (state === null) throw tooManyOpen(parts);
  if (!created) throw new SondeError('STREAM_CONFLICT', 'a stream of that id exists');
  return state;
}

function tooManyOpen({ limits }: StreamParts): SondeError {
  return new SondeError('TOO_MANY_STREAMS', `At most ${limits.openStreams} streams are open at once.`, {
    details: { max: limits.openStreams },
  });
}

function answerExisting(existing: StreamState, wanted: NewStream, call: StreamCall): StreamAnswer {
  if (existing.deleted) {
    throw new SondeError('STREAM_CONFLICT', 'a deleted stream of that name is still needed by its forks');
  }
  const difference = differenceOf(existing, wanted);
  if (difference) throw new SondeError('STREAM_CONFLICT', `the stream exists with another ${difference}`);
  return answer(200, existing, call);
}

function differenceOf(existing: StreamState, wanted: NewStream): string | undefined {
  if (essenceOf(existing.contentType) !== essenceOf(wanted.contentType)) return 'content type';
  if (existing.ttlSeconds !== wanted.ttlSeconds) return 'time to live';
  if (existing.expiresAt !== wanted.expiresAt) return 'expiry';
  if (existing.closed !== wanted.closed) return 'closed state';
  const [ours, theirs] = [existing.ancestors.at(-1), wanted.ancestors.at(-1)];
  if (ours?.life !== theirs?.life) return 'source';
  if (ours && theirs && comparePositions(ours.until, theirs.until) !== 0) return 'fork offset';
  return undefined;
}

async function initialData(call: StreamCall, contentType: string): Promise<Uint8Array | null> {
  const body = await call.body();
  if (body.length === 0) return null;
  const data = isJson(contentType) ? await storeJson(body) : body;
  return data.length === 0 ? null : data;
}

function answer(status: number, state: StreamState, call: StreamCall): StreamAnswer {
  return {
    status,
    headers: {
      'Content-Type': state.contentType,
      ...nextOffset(state),
      ...closedHeader(state.closed),
      ...(status === 201 && { Location: call.url }),
    },
  };
}

const HASH_LENGTH = 5;
const HASH_LETTERS = '0123456789abcdefghijklmnopqrstuvwxyz';

/** Tells a stream from others of the same name before and after it; not a secret. */
function randomHash(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(HASH_LENGTH));
  return Array.from(bytes, (byte) => HASH_LETTERS[byte % HASH_LETTERS.length]).join('');
}
