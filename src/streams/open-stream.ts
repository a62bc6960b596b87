/**
 * Finds a stream that may be used: missing and expired ones are 404, deleted ones that forks still need are 410.
 * Every use renews a time to live. Renewals are stored only now and then, so that a read does not cost a commit.
 */
import { SondeError } from '../errors.js';
import { isExpired } from './expiry.js';
import { clockUntrusted } from './lifetime-clock.js';
import { removeStream } from './remove-stream.js';
import type { StreamDeps } from './stream-deps.js';
import { keyOf, notFound } from './stream-life.js';
import type { StreamState } from './stream-store.js';

const TOUCH_MS_MAX = 5_000;
/** After a crash, a stream may expire early by at most this fraction (1/20) of its time to live. */
const TOUCH_PART = 20;

export async function openStream(deps: StreamDeps, id: string): Promise<StreamState> {
  const state = await findStream(deps, id);
  if (!state) throw notFound();
  if (state.deleted) throw new SondeError('STREAM_GONE', 'the stream was deleted; its forks remain');
  return state;
}

/**
 * Like `openStream`, but returns undefined for a missing stream and the state of a deleted one. An expired stream is
 * removed, or only hidden while the clock is not trusted.
 */
export async function findStream(deps: StreamDeps, id: string): Promise<StreamState | undefined> {
  const state = await findKept(deps, id);
  if (!state || state.deleted || !isExpired(state, deps.lifetime.now())) return state;
  if (!deps.lifetime.isTrusted()) return undefined;
  await removeStream(deps, state);
  // The stream may remain, as deleted, for its forks; or a new life may have the id by now.
  return findStream(deps, id);
}

/** Also finds a stream that has expired and is not removed yet. */
export async function findKept(deps: StreamDeps, id: string): Promise<StreamState | undefined> {
  const stored = await deps.store.get(id);
  return stored && withLastUse(deps, stored);
}

/** A hidden stream keeps its name. */
export function refuseHidden({ lifetime }: StreamDeps, state: StreamState | undefined): void {
  const isHidden = state && !state.deleted && isExpired(state, lifetime.now());
  if (isHidden && !lifetime.isTrusted()) throw clockUntrusted(lifetime);
}

export function touch(deps: StreamDeps, state: StreamState): void {
  if (state.ttlSeconds === null) return;
  const now = deps.lifetime.now();
  const every = Math.min((state.ttlSeconds * 1000) / TOUCH_PART, TOUCH_MS_MAX);
  deps.touched.set(state.life, now);
  if (now - state.accessedAt < every) return;
  deps.store.touch(keyOf(state), now).catch((error: unknown) => {
    deps.log.warn('a time to live was not renewed', { stream: state.id, err: error });
  });
}

function withLastUse(deps: StreamDeps, state: StreamState): StreamState {
  const at = deps.touched.get(state.life) ?? 0;
  return { ...state, accessedAt: Math.max(state.accessedAt, at) };
}
