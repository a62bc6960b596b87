/** PUT: creates a stream. Repeating the request succeeds if the existing stream has the same properties. */
import { SondeError } from '../errors.js';
import { readLifetime } from './expiry.js';
import { resolveFork } from './fork-point.js';
import { storeJson } from './json-messages.js';
import { contentTypeOr, essenceOf, isJson } from './media-type.js';
import { comparePositions, START } from './offset.js';
import { findKept, findStream, refuseHidden } from './open-stream.js';
import { releaseSource, removeStream } from './remove-stream.js';
import type { StreamDeps } from './stream-deps.js';
import { asksToClose, closedHeader, nextOffset } from './stream-headers.js';
import { keyOf, newLife } from './stream-life.js';
import type { StreamCall, StreamResponse } from './stream-response.js';
import type { Creation, NewStream, StreamKey, StreamState } from './stream-store.js';
import { collectionOf, splitStreamId } from './subscriptions/stream-path.js';
import { tenantOf } from './tenant-shares.js';

export async function createStream(deps: StreamDeps, call: StreamCall): Promise<StreamResponse> {
  const lifetime = readLifetime(call.header('stream-ttl'), call.header('stream-expires-at'));
  const fork = await resolveFork(deps, call);
  const givenType = call.header('content-type');
  const contentType = givenType === null && fork ? fork.source.contentType : contentTypeOr(givenType);
  const existing = await findReusable(deps, call.id);
  const openMax = await openStreamsMax(deps, call.id);
  const closed = asksToClose(call.header('stream-closed'));
  const wanted: NewStream = {
    id: call.id,
    life: newLife(deps.clock()),
    hash: randomHash(),
    contentType,
    createdAt: deps.clock(),
    usedAt: deps.lifetime.now(),
    ...(fork && lifetime.ttlSeconds === null && lifetime.expiresAt === null ? fork.lifetime : lifetime),
    closed,
    start: fork?.point ?? START,
    inheritedBytes: fork?.inheritedBytes ?? 0,
    ancestors: fork?.ancestors ?? [],
    metadata: null,
    data: existing ? null : await readInitialData(call, contentType),
    collection: collectionOf(call.id),
    openMax,
  };
  if (existing) return respondWithExisting(existing, wanted, call);
  if (fork && essenceOf(contentType) !== essenceOf(fork.source.contentType)) {
    throw new SondeError('CONTENT_TYPE_MISMATCH', 'a fork must have the content type of its source');
  }
  if (fork) await announceFork(deps, fork.source, wanted);
  const { created, state } = await store(deps, wanted);
  if (fork && !created) await releaseSource(deps, fork.source, wanted);
  if (state === null) throw tooManyOpen(openMax);
  if (!created) {
    refuseHidden(deps, state);
    return respondWithExisting(state, wanted, call);
  }
  if (state.tail.chunk > wanted.start.chunk) deps.sealer.filled();
  deps.onChanged(state);
  return respond(201, state, call);
}

/** A deleted stream keeps its id while forks need it. If the last fork is gone by now, the id becomes free. */
async function findReusable(deps: StreamDeps, id: string): Promise<StreamState | undefined> {
  const existing = await findStream(deps, id);
  if (!existing && !deps.lifetime.isTrusted()) refuseHidden(deps, await findKept(deps, id));
  if (!existing?.deleted) return existing;
  await removeStream(deps, existing);
  return findStream(deps, id);
}

/** Runs before the fork is created, so that its source cannot be removed in between. */
async function announceFork(deps: StreamDeps, source: StreamState, fork: StreamKey): Promise<void> {
  if (await deps.store.addFork(keyOf(source), { ...keyOf(fork), announcedAt: deps.lifetime.now() })) return;
  throw new SondeError('STREAM_CONFLICT', 'the source was deleted');
}

/** A stream that the server itself creates and writes. Callers cannot choose its id. */
export interface OwnStream extends StreamKey {
  readonly contentType: string;
  /** Milliseconds since the epoch, by `lifetime`. */
  readonly expiresAt: number;
  readonly metadata: string;
  readonly collection: string;
  readonly data: Uint8Array | null;
  /** True if no append follows `data`. */
  readonly closed?: boolean;
}

/** `replaced` is removed in the same commit. */
export async function createOwn(
  deps: StreamDeps,
  stream: OwnStream,
  replaced?: StreamState,
): Promise<StreamState> {
  const created: NewStream = {
    closed: false,
    ...stream,
    hash: randomHash(),
    createdAt: deps.clock(),
    usedAt: deps.lifetime.now(),
    ttlSeconds: null,
    start: START,
    inheritedBytes: 0,
    ancestors: [],
    // The creators of such streams have their own limits per tenant.
    openMax: Number.POSITIVE_INFINITY,
  };
  return storeOwn(deps, created, replaced);
}

async function storeOwn(
  deps: StreamDeps,
  stream: NewStream,
  replaced: StreamState | undefined,
): Promise<StreamState> {
  let removal: Promise<unknown> | undefined;
  const { created, state } = await store(deps, stream, () => {
    // Called in one turn with the creation, so that one commit holds both. If it fails, so does the creation.
    removal = replaced && removeStream(deps, replaced).catch(() => undefined);
  });
  await removal;
  if (!created) throw new SondeError('STREAM_CONFLICT', 'a stream with this id already exists');
  deps.onChanged(state);
  return state;
}

function store(deps: StreamDeps, stream: NewStream, before: () => void = () => {}): Promise<Creation> {
  return deps.storedBytes.during(
    { tenant: tenantOf(stream), bytes: stream.data?.length ?? 0 },
    () => {
      before();
      return deps.store.create(stream);
    },
    ({ created }) => created,
  );
}

/** The limit of the tenant in the stream's path. Streams of the server itself have no tenant in their id. */
async function openStreamsMax({ limits, tenantLimits }: StreamDeps, id: string): Promise<number> {
  const tenant = splitStreamId(id)?.tenant;
  const { openStreams = limits.openStreams } = tenant === undefined ? {} : await tenantLimits(tenant);
  return openStreams;
}

function tooManyOpen(max: number): SondeError {
  return new SondeError('TOO_MANY_STREAMS', `A tenant can have at most ${max} open streams at once.`, {
    details: { max },
  });
}

function respondWithExisting(existing: StreamState, wanted: NewStream, call: StreamCall): StreamResponse {
  if (existing.deleted) {
    throw new SondeError('STREAM_CONFLICT', 'a deleted stream with this name is still needed by its forks');
  }
  const difference = differenceOf(existing, wanted);
  if (difference)
    throw new SondeError('STREAM_CONFLICT', `the stream already exists with a different ${difference}`);
  return respond(200, existing, call);
}

function differenceOf(existing: StreamState, wanted: NewStream): string | undefined {
  if (essenceOf(existing.contentType) !== essenceOf(wanted.contentType)) return 'content type';
  if (existing.ttlSeconds !== wanted.ttlSeconds) return 'time to live';
  if (existing.expiresAt !== wanted.expiresAt) return 'expiry';
  if (existing.closed !== wanted.closed) return 'closed state';
  const [ours, theirs] = [existing.ancestors.at(-1), wanted.ancestors.at(-1)];
  if (ours?.life !== theirs?.life) return 'source';
  if (comparePositions(ours?.until ?? START, theirs?.until ?? START) !== 0) return 'fork offset';
  return undefined;
}

async function readInitialData(call: StreamCall, contentType: string): Promise<Uint8Array | null> {
  const body = await call.body();
  if (body.length === 0) return null;
  const data = isJson(contentType) ? await storeJson(body) : body;
  return data.length === 0 ? null : data;
}

function respond(status: number, state: StreamState, call: StreamCall): StreamResponse {
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
const HASHES = 36 ** HASH_LENGTH;

/** Distinguishes a stream from earlier and later ones with the same name; not a secret. */
function randomHash(): string {
  // `randomUUID` uses the engine's pool of random bytes, which is much cheaper than asking for single ones.
  // The number ends at the first hyphen, so it has 32 random bits.
  const random = Number.parseInt(crypto.randomUUID(), 16);
  return (random % HASHES).toString(36).padStart(HASH_LENGTH, '0');
}
