/**
 * Marks the stream that holds damaged bytes and every fork that shares them. Forks that branched off before the damage
 * are intact, and so are their own forks. Idempotent.
 */
import { comparePositions, type Position } from './offset.js';
import { keyOf, refresh } from './stream-life.js';
import type { StreamKey, StreamState, StreamStore } from './stream-store.js';

export interface Damage {
  readonly stream: StreamKey;
  readonly from: Position;
}

/** Calls `note` once for every damaged stream. */
export async function spreadDamage(
  store: StreamStore,
  { stream: holder, from }: Damage,
  note: (damage: Damage) => void,
): Promise<void> {
  const line = [holder];
  for (let stream = line.pop(); stream !== undefined; stream = line.pop()) {
    note({ stream, from });
    await store.markCorrupt(stream, from);
    for (const each of await store.forks(stream)) {
      const fork = await refresh(store, each);
      if (fork && shares(fork, holder, from)) line.push(keyOf(fork));
    }
  }
}

function shares({ ancestors }: StreamState, holder: StreamKey, from: Position): boolean {
  const ancestor = ancestors.find(({ life }) => life === holder.life);
  return ancestor !== undefined && comparePositions(ancestor.until, from) > 0;
}
