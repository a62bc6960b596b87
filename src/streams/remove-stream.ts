/**
 * Ends one life of a stream. While forks need its bytes it is only marked; the removal of the last fork removes it too,
 * and so on up to the root. Steps go from the leaf to the root and may be repeated after a crash.
 */
import { segmentKey } from './object-store.js';
import { digestOf } from './read-spans.js';
import { isCurrent, keyOf, refresh } from './stream-life.js';
import type { StreamParts } from './stream-parts.js';
import type { AnnouncedFork, Removal, StreamKey, StreamState } from './stream-store.js';

/** A create that announced a fork has long made it by then, or never will. */
const ANNOUNCED_MS_MAX = 60_000;

/** False if another call had ended it already. */
export async function removeStream(parts: StreamParts, state: StreamState): Promise<boolean> {
  const { store, tails } = parts;
  const key = keyOf(state);
  const removal = await store.remove(key);
  if (!removal) return false;
  if (!removal.wasDeleted) {
    tails.gone(state.life);
    parts.onChanged(state.id);
  }
  if (!removal.kept) await finishRemoval(parts, state, removal);
  // A deleted stream takes no new forks, so none can appear after this check.
  else if (!(await hasLiveForks(parts, key))) {
    const last = await store.remove(key);
    if (last) await finishRemoval(parts, state, last);
  }
  return !removal.wasDeleted;
}

async function finishRemoval(parts: StreamParts, state: StreamState, { cold }: Removal): Promise<void> {
  const { store, objects } = parts;
  parts.onRemoved(state);
  for (const chunk of cold) await objects.remove(segmentKey(digestOf(state.life), chunk));
  const parent = state.ancestors.at(-1);
  if (!parent) return;
  const left = await store.removeFork(keyOf(parent), keyOf(state));
  const source = left === 0 ? await refresh(store, parent) : undefined;
  if (source?.deleted) await removeStream(parts, source);
}

async function hasLiveForks(parts: StreamParts, source: StreamKey): Promise<boolean> {
  for (const fork of await parts.store.forks(source)) {
    if (await isLive(parts, fork)) return true;
    await parts.store.removeFork(source, keyOf(fork));
  }
  return false;
}

/** A fork that was announced and never made is no reason to keep its source. */
async function isLive({ store, clock }: StreamParts, fork: AnnouncedFork): Promise<boolean> {
  return (await isCurrent(store, fork)) || clock() - fork.announcedAt < ANNOUNCED_MS_MAX;
}
