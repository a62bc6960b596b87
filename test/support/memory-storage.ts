import type { DurableStorage } from '../../src/client/index.js';

/** Like `localStorage`, with a view of what it keeps. */
export function memoryStorage(): DurableStorage & { readonly kept: Map<string, string> } {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  };
}
