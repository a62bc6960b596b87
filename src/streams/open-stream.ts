/**
 * Finds a stream that may be used: missing and expired ones are 404, deleted ones that forks still need are 410.
 * Using a stream with a time to live renews it; that is stored now and then, not on every read, so that reading costs
 * no commit.
 */
import { SondeError } from '../errors.js';
import { isExpired } from './expiry.js';
import { removeStream } from './remove-stream.js';
import type { StreamDeps } from './stream-deps.js';
import { keyOf, notFound } from './stream-life.js';
import type { StreamState } from './stream-store.js';

const TOUCH_MS_MAX = 5_000;
/** A time to live may run out this much too early, as a part of itself. */
const TOUCH_PART = 20;

export async function openStream(deps: StreamDeps, id: string): Promise<StreamState> {
  const state = await findStream(deps, id);
  if (!state) throw notFound();
  if (state.deleted) throw new SondeError('STREAM_GONE', 'the stream was deleted; its forks remain');
  return state;
}

/** As `openStream`, but a missing one is undefined and a deleted one comes back. */
export async function findStream(deps: StreamDeps, id: string): Promise<StreamState | undefined> {
  const stored = await deps.store.get(id);
  const state = stored && renewed(deps, stored);
  if (!state || state.deleted || !isExpired(state, deps.clock())) return state;
  await removeStream(deps, state);
  // Forks may keep it, which makes it a deleted one, or another life may have its id by now.
  return findStream(deps, id);
}

export function touch(deps: StreamDeps, state: StreamState): void {
  if (state.ttlSeconds === null) return;
  const now = deps.clock();
  const every = Math.min((state.ttlSeconds * 1000) / TOUCH_PART, TOUCH_MS_MAX);
  deps.touched.set(state.life, now);
  if (now - state.accessedAt < every) return;
  deps.store.touch(keyOf(state), now).catch((error: unknown) => {
    deps.log.warn('a time to live was not renewed', { stream: state.id, err: error });
  });
}

function renewed(deps: StreamDeps, state: StreamState): StreamState {
  const at = deps.touched.get(state.life);
  return at !== undefined && at > state.accessedAt ? { ...state, accessedAt: at } : state;
}
