/**
 * Finds a stream that may be used: missing and expired ones are 404, deleted ones that forks still need are 410.
 * Using a stream with a time to live renews it; that is stored now and then, not on every read, so that reading costs
 * no commit.
 */
import { SondeError } from '../errors.js';
import { isExpired } from './expiry.js';
import { removeStream } from './remove-stream.js';
import { keyOf, notFound } from './stream-life.js';
import type { StreamParts } from './stream-parts.js';
import type { StreamState } from './stream-store.js';

const TOUCH_MS_MAX = 5_000;
/** A time to live may run out this much too early, as a part of itself. */
const TOUCH_PART = 20;

export async function openStream(parts: StreamParts, id: string): Promise<StreamState> {
  const state = await findStream(parts, id);
  if (!state) throw notFound();
  if (state.deleted) throw new SondeError('STREAM_GONE', 'the stream was deleted; forks of it live on');
  return state;
}

/** As `openStream`, but a missing one is undefined and a deleted one comes back. */
export async function findStream(parts: StreamParts, id: string): Promise<StreamState | undefined> {
  const stored = await parts.store.get(id);
  const state = stored && renewed(parts, stored);
  if (!state || state.deleted || !isExpired(state, parts.clock())) return state;
  await removeStream(parts, state);
  return undefined;
}

export function touch(parts: StreamParts, state: StreamState): void {
  if (state.ttlSeconds === null) return;
  const now = parts.clock();
  const every = Math.min((state.ttlSeconds * 1000) / TOUCH_PART, TOUCH_MS_MAX);
  parts.touched.set(state.life, now);
  if (now - state.accessedAt < every) return;
  parts.store.touch(keyOf(state), now).catch((error: unknown) => {
    parts.log.warn('a time to live was not renewed', { stream: state.id, err: error });
  });
}

function renewed(parts: StreamParts, state: StreamState): StreamState {
  const at = parts.touched.get(state.life);
  return at !== undefined && at > state.accessedAt ? { ...state, accessedAt: at } : state;
}
