/**
 * Which side is probed first in each round of samples. Random, so that neither side always pays for a cold cache, a
 * first handshake or a busy moment; both are probed in every round, so that a slow period hits both.
 */
import type { Side } from '../probe/index.js';

/** `random` returns numbers from 0 up to, but not including, 1. */
export function sampleOrder(random: () => number): readonly [Side, Side] {
  return random() < 0.5 ? ['left', 'right'] : ['right', 'left'];
}

/** Returns the same numbers for the same seed, so that a resumed run keeps its order. */
export function seededRandom(seed: string): () => number {
  let state = 2_166_136_261;
  for (let at = 0; at < seed.length; at++) state = Math.imul(state ^ seed.charCodeAt(at), 16_777_619);
  return () => {
    state = Math.imul(state ^ (state >>> 15), 2_246_822_519) + 1_013_904_223;
    state = Math.imul(state ^ (state >>> 13), 3_266_489_917);
    return ((state ^ (state >>> 16)) >>> 0) / 4_294_967_296;
  };
}
