/** Verifies the checksum of every byte in a store and its cold segments. */
import { SondeError } from '../errors.js';
import { comparePositions, formatOffset, type Position } from './offset.js';
import { type PlannedSpan, planRead } from './read-plan.js';
import { readSpans } from './read-spans.js';
import type { StreamDeps } from './stream-deps.js';
import type { StreamKey, StreamState } from './stream-store.js';

export interface Verified {
  readonly id: string;
  readonly bytes: number;
  /** The offset at which the damage begins. */
  readonly damagedFrom?: string;
  /** The numbers of the segments that are missing from storage. */
  readonly missing?: readonly number[];
  /** True if it is marked as damaged, but all of its bytes exist and verify. */
  readonly wronglyMarked?: true;
}

export interface Inspection {
  readonly bytes: number;
  /** The position of the first damaged record, and the stream that holds it: this one or an ancestor. */
  readonly damage?: { readonly holder: StreamKey; readonly from: Position };
  readonly missing: readonly PlannedSpan[];
  readonly spans: readonly PlannedSpan[];
}

export type StoredStreams = Pick<StreamDeps, 'store' | 'objects'>;

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
 * Reads each stream's own bytes, and so every byte once. Faults in bytes that a fork shares are taken from the results
 * of the stream that holds them, so forks are reported last.
 */
export async function* verifyStreams(stored: StoredStreams): AsyncGenerator<Verified> {
  const faults = new Map<string, Faults>();
  const forkBytes = new Map<string, number>();
  for await (const state of listStreams(stored)) {
    const { bytes, damage, missing } = await inspectStream(stored, state, 'own');
    const own = { damage: damage?.from, missing: missing.map(({ chunk }) => chunk) };
    if (own.damage || own.missing.length > 0) faults.set(state.life, own);
    if (state.ancestors.length > 0) forkBytes.set(state.life, bytes);
    else yield toVerified(state, bytes, own);
  }
  for await (const state of listStreams(stored)) {
    const bytes = forkBytes.get(state.life);
    if (bytes !== undefined) yield toVerified(state, bytes, await findSharedFaults(stored, state, faults));
  }
}

interface Faults {
  readonly damage: Position | undefined;
  readonly missing: readonly number[];
}

function toVerified(state: StreamState, bytes: number, { damage, missing }: Faults): Verified {
  return {
    id: state.id,
    bytes,
    ...(damage && { damagedFrom: formatOffset(state.hash, damage) }),
    ...(missing.length > 0 && { missing }),
    ...(state.corruptFrom && !damage && missing.length === 0 && { wronglyMarked: true }),
  };
}

/** The faults of a fork, including those in bytes that it shares. */
async function findSharedFaults(
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

/** Verifies the bytes and ignores damage marks. Covers all bytes of the stream, or only those that it holds itself. */
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
