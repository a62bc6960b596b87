/**
 * Damage belongs to whoever holds the bytes and to everyone who shares them: the holder is marked, then each
 * fork that parted from it later, and so down the line, each with the place from which it cannot be read any
 * more. A fork that parted before the damage is sound, and so are its own forks. May be repeated.
 */
import { comparePositions, type Position } from './offset.js';
import type { StreamState, StreamStore } from './stream-store.js';

export interface Damage {
  readonly id: string;
  readonly from: Position;
}

/** `note` hears of every stream that is damaged, once each. */
export async function spreadDamage(
  store: StreamStore,
  { id: holder, from }: Damage,
  note: (damage: Damage) => void,
): Promise<void> {
  const line = [holder];
  for (let id = line.pop(); id !== undefined; id = line.pop()) {
    note({ id, from });
    await store.markCorrupt(id, from);
    for (const forkId of await store.forks(id)) {
      const fork = await store.get(forkId);
      if (fork && shares(fork, holder, from)) line.push(forkId);
    }
  }
}

function shares({ ancestors }: StreamState, holder: string, from: Position): boolean {
  const ancestor = ancestors.find(({ id }) => id === holder);
  return ancestor !== undefined && comparePositions(ancestor.until, from) > 0;
}
