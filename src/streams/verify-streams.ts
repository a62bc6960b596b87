/** Reads every byte that a store and its cold segments hold and compares it with its checksum. */
import { SondeError } from '../errors.js';
import type { ObjectStore } from './object-store.js';
import { comparePositions, formatOffset, type Position } from './offset.js';
import { type PlannedSpan, planRead } from './read-plan.js';
import { readSpans } from './read-spans.js';
import type { StreamKey, StreamState, StreamStore } from './stream-store.js';

export interface Verified {
  readonly id: string;
  readonly bytes: number;
  /** The offset from which on its bytes are not what was written. */
  readonly damagedFrom?: string;
  /** Numbers of the segments that are not in storage. */
  readonly missing?: readonly number[];
  /** It is marked as damaged, and all of its bytes are there and sound. */
  readonly wronglyMarked?: true;
}

export interface Inspection {
  readonly bytes: number;
  /** Where the first record lies that does not verify, and the stream that holds it: itself or an ancestor. */
  readonly damage?: { readonly holder: StreamKey; readonly from: Position };
  readonly missing: readonly PlannedSpan[];
  readonly spans: readonly PlannedSpan[];
}

interface StoredStreams {
  readonly store: StreamStore;
  readonly objects: ObjectStore;
}

const BATCH = 100;

export async function* listStreams({ store }: StoredStreams): AsyncGenerator<StreamState> {
  for (let after = ''; ; ) {
    const batch = await store.list(after, BATCH);
    yield* batch;
    const last = batch.at(-1);
    if (!last) return;
    after = last.id;
  }
}

export async function* verifyStreams(stored: StoredStreams): AsyncGenerator<Verified> {
  for await (const state of listStreams(stored)) {
    const { bytes, damage, missing } = await inspectStream(stored, state);
    yield {
      id: state.id,
      bytes,
      ...(damage && { damagedFrom: formatOffset(state.hash, damage.from) }),
      ...(missing.length > 0 && { missing: missing.map(({ chunk }) => chunk) }),
      ...(state.corruptFrom && !damage && missing.length === 0 && { wronglyMarked: true }),
    };
  }
}

/** Looks at the bytes alone, not at marks. Shared bytes are read again for every fork: each shows them. */
export async function inspectStream(stored: StoredStreams, state: StreamState): Promise<Inspection> {
  let bytes = 0;
  let damage: Inspection['damage'];
  const missing: PlannedSpan[] = [];
  const deps = {
    ...stored,
    onCorrupt: async (holder: StreamKey, from: Position) => {
      if (!damage || comparePositions(from, damage.from) < 0) damage = { holder, from };
    },
  };
  const plan = await planRead(stored.store, state, {
    from: { chunk: 0, position: 0 },
    bytesMax: Number.POSITIVE_INFINITY,
  });
  for (const span of plan.spans) {
    try {
      for await (const piece of readSpans(deps, { spans: [span] })) bytes += piece.bytes.length;
    } catch (error) {
      if (!(error instanceof SondeError)) throw error;
      if (error.code === 'STORAGE_UNAVAILABLE' && error.details?.['chunk'] === span.chunk) missing.push(span);
      else if (error.code !== 'STREAM_CORRUPT') throw error;
    }
  }
  return { bytes, missing, spans: plan.spans, ...(damage && { damage }) };
}
