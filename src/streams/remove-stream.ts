/**
 * Ends a stream. While forks need its bytes it is only marked; the last fork's end takes it along, and so up
 * the line. Steps go from the leaf to the root and may be repeated after a crash.
 */
import { segmentKey } from './object-store.js';
import { digestOf } from './read-spans.js';
import type { StreamParts } from './stream-parts.js';
import type { StreamState } from './stream-store.js';

export async function removeStream(parts: StreamParts, state: StreamState): Promise<void> {
  const { store, tails, touched } = parts;
  if (await hasLiveForks(parts, state.id)) {
    await store.softDelete(state.id);
    tails.gone(state.id);
    parts.onChanged(state.id);
    return;
  }
  const { cold } = await store.remove(state.id);
  touched.delete(state.id);
  tails.gone(state.id);
  parts.onChanged(state.id);
  for (const chunk of cold) await parts.objects.remove(segmentKey(digestOf(state.id), chunk));
  const parent = state.ancestors.at(-1);
  if (!parent) return;
  const left = await store.removeFork(parent.id, state.id);
  const source = left === 0 ? await store.get(parent.id) : undefined;
  if (source?.deleted) await removeStream(parts, source);
}

/** A fork that was announced and never made is no reason to keep its source. */
async function hasLiveForks({ store }: StreamParts, id: string): Promise<boolean> {
  for (const forkId of await store.forks(id)) {
    const fork = await store.get(forkId);
    if (fork?.ancestors.some((ancestor) => ancestor.id === id)) return true;
    await store.removeFork(id, forkId);
  }
  return false;
}
