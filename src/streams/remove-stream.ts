/**
 * Removes one life of a stream. While forks need its bytes it is only marked as deleted; removing the last fork removes
 * it too, and so on up to the root. The steps go from leaf to root and may be repeated after a crash.
 */
import { destroyBefore } from './lifetime-clock.js';
import { segmentKey } from './object-store.js';
import { digestOf } from './read-spans.js';
import type { StreamDeps } from './stream-deps.js';
import { isCurrent, keyOf, refresh } from './stream-life.js';
import type { AnnouncedFork, Removal, StreamKey, StreamState } from './stream-store.js';
import { tenantOf } from './tenant-shares.js';

/** By then, a create that announced a fork has either completed or failed. */
const ANNOUNCED_MS_MAX = 60_000;

/** Returns false if the stream was already removed or marked as deleted. */
export async function removeStream(deps: StreamDeps, state: StreamState): Promise<boolean> {
  const { store, tails } = deps;
  const key = keyOf(state);
  const removal = await store.remove(key);
  if (!removal) return false;
  if (!removal.wasDeleted) {
    tails.notifyGone(state.life);
    deps.onChanged({ ...state, deleted: true });
  }
  if (!removal.kept) await finishRemoval(deps, state, removal);
  // A deleted stream takes no new forks, so none can appear after this check.
  else if (!(await hasLiveForks(deps, key))) {
    const last = await store.remove(key);
    if (last) await finishRemoval(deps, state, last);
  }
  return !removal.wasDeleted;
}

async function finishRemoval(deps: StreamDeps, state: StreamState, { cold, bytes }: Removal): Promise<void> {
  const { objects } = deps;
  deps.onRemoved(state);
  deps.storedBytes.removed(tenantOf(state), bytes);
  for (const chunk of cold) await objects.remove(segmentKey(digestOf(state.life), chunk));
  const parent = state.ancestors.at(-1);
  if (parent) await releaseSource(deps, parent, state);
}

/** Drops a fork that was removed or never created. If it was the last fork of a deleted source, removes the source. */
export async function releaseSource(deps: StreamDeps, source: StreamKey, fork: StreamKey): Promise<void> {
  const left = await deps.store.removeFork(keyOf(source), keyOf(fork));
  const kept = left === 0 ? await refresh(deps.store, source) : undefined;
  if (kept?.deleted) await removeStream(deps, kept);
}

async function hasLiveForks(deps: StreamDeps, source: StreamKey): Promise<boolean> {
  for (const fork of await deps.store.forks(source)) {
    if (await isLive(deps, fork)) return true;
    await deps.store.removeFork(source, keyOf(fork));
  }
  return false;
}

/** A fork that was announced but never created does not keep its source. */
async function isLive({ store, lifetime }: StreamDeps, fork: AnnouncedFork): Promise<boolean> {
  return (await isCurrent(store, fork)) || destroyBefore(lifetime) - fork.announcedAt < ANNOUNCED_MS_MAX;
}
