import type { DurableStorage } from '../../packages/client/src/index.js';

export type MemoryStorage = DurableStorage & { readonly kept: Map<string, string> };

/** Like `localStorage`, with a view of its contents. */
export function memoryStorage(from?: ReadonlyMap<string, string>): MemoryStorage {
  const kept = new Map(from);
  return {
    kept,
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  };
}
