/** Reads every byte that a store and its cold segments hold and compares it with its checksum. */
import type { ObjectStore } from './object-store.js';
import { comparePositions, formatOffset, type Position } from './offset.js';
import { planRead } from './read-plan.js';
import { readSpans } from './read-spans.js';
import type { StreamKey, StreamState, StreamStore } from './stream-store.js';

export interface Verified {
  readonly id: string;
  readonly bytes: number;
  readonly damagedFrom?: string;
}

const BATCH = 100;

export async function* verifyStreams(parts: {
  store: StreamStore;
  objects: ObjectStore;
}): AsyncGenerator<Verified> {
  for (let after = ''; ; ) {
    const batch = await parts.store.list(after, BATCH);
    for (const state of batch) yield await verifyOne(parts, state);
    const last = batch.at(-1);
    if (!last) return;
    after = last.id;
  }
}

/** Shared bytes are read again for every fork: each must be able to answer for all that it shows. */
async function verifyOne(
  parts: { store: StreamStore; objects: ObjectStore },
  state: StreamState,
): Promise<Verified> {
  let bytes = 0;
  let damaged: Position | undefined = state.corruptFrom ?? undefined;
  const reading = {
    ...parts,
    onCorrupt: async (_stream: StreamKey, from: Position) => {
      if (!damaged || comparePositions(from, damaged) < 0) damaged = from;
    },
  };
  const plan = await planRead(parts.store, state, {
    from: { chunk: 0, position: 0 },
    bytesMax: Number.POSITIVE_INFINITY,
  });
  try {
    for await (const piece of readSpans(reading, plan)) bytes += piece.bytes.length;
  } catch (error) {
    if (!damaged) throw error;
  }
  return { id: state.id, bytes, ...(damaged && { damagedFrom: formatOffset(state.hash, damaged) }) };
}
