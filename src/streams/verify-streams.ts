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
  /** It is marked as damaged, but all of its bytes exist and verify. */
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

/**
 * Reads what each stream holds itself, and so every byte once. What a fork shares is judged by what was found in the
 * stream that holds it, which is why forks come last.
 */
export async function* verifyStreams(stored: StoredStreams): AsyncGenerator<Verified> {
  const faults = new Map<string, Faults>();
  const forkBytes = new Map<string, number>();
  for await (const state of listStreams(stored)) {
    const { bytes, damage, missing } = await inspectStream(stored, state, 'own');
    const own = { damage: damage?.from, missing: missing.map(({ chunk }) => chunk) };
    if (own.damage || own.missing.length > 0) faults.set(state.life, own);
    if (state.ancestors.length > 0) forkBytes.set(state.life, bytes);
    else yield verified(state, bytes, own);
  }
  for await (const state of listStreams(stored)) {
    const bytes = forkBytes.get(state.life);
    if (bytes !== undefined) yield verified(state, bytes, await sharedFaults(stored, state, faults));
  }
}

interface Faults {
  readonly damage: Position | undefined;
  readonly missing: readonly number[];
}

function verified(state: StreamState, bytes: number, { damage, missing }: Faults): Verified {
  return {
    id: state.id,
    bytes,
    ...(damage && { damagedFrom: formatOffset(state.hash, damage) }),
    ...(missing.length > 0 && { missing }),
    ...(state.corruptFrom && !damage && missing.length === 0 && { wronglyMarked: true }),
  };
}

/** What a fork shows of the faults of those that hold its bytes. */
async function sharedFaults(
  { store }: StoredStreams,
  state: StreamState,
  faults: ReadonlyMap<string, Faults>,
): Promise<Faults> {
  if (faults.size === 0) return { damage: undefined, missing: [] };
  const { spans } = await planRead(store, state, ALL);
  const missing = spans.filter(({ owner, chunk }) => faults.get(owner.life)?.missing.includes(chunk));
  const damages = spans.flatMap(({ owner, chunk, hi }) => {
    const from = faults.get(owner.life)?.damage;
    return from?.chunk === chunk && from.position < hi ? [from] : [];
  });
  return { damage: damages.sort(comparePositions)[0], missing: missing.map(({ chunk }) => chunk) };
}

const ALL = { from: { chunk: 0, position: 0 }, bytesMax: Number.POSITIVE_INFINITY };

/** Looks at the bytes alone, not at marks: at all that the stream shows, or at those that it holds itself. */
export async function inspectStream(
  stored: StoredStreams,
  state: StreamState,
  which: 'all' | 'own' = 'all',
): Promise<Inspection> {
  let bytes = 0;
  let damage: Inspection['damage'];
  const missing: PlannedSpan[] = [];
  const deps = {
    ...stored,
    onCorrupt: async (holder: StreamKey, from: Position) => {
      if (!damage || comparePositions(from, damage.from) < 0) damage = { holder, from };
    },
  };
  const plan = await planRead(stored.store, state, ALL);
  const isRead = ({ owner }: PlannedSpan) => which === 'all' || owner.life === state.life;
  for (const span of plan.spans.filter(isRead)) {
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
