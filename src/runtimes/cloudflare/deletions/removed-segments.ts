/** Finds the segments to delete: those of a removed stream, and those that no stream refers to. */
import type { SyncPort } from '../../../stores/sqlite/sync-port.js';
import {
  digestOf,
  type Removal,
  type StreamKey,
  type StreamStore,
  segmentKey,
} from '../../../streams/index.js';
import type { DeletionOutbox } from './deletion-outbox.js';

type Engine = SyncPort<StreamStore>;

export interface RemovalHooks {
  readonly outbox: DeletionOutbox;
  /** Whether the object contains nothing except its stream. */
  isAlone(): boolean;
  /** Called instead of deleting rows; the host deletes the whole database after this transaction. */
  onCleared(): void;
}

/**
 * Wraps a store so that a removal writes its segments into the outbox, and its caller need not delete them. Deleted
 * rows are billed as written ones, so for a stream without segments and forks the whole database is deleted instead.
 * The methods of `engine` must be its own, as those of a `LazyEngine` are.
 */
export function withDeletionOutbox(engine: Engine, { outbox, isAlone, onCleared }: RemovalHooks): Engine {
  return { ...engine, remove };
  function remove(stream: StreamKey): Removal | undefined {
    // Includes chunks that are being sealed, because their segment may be on its way to the bucket.
    const chunks = engine.chunks(stream, 0, Number.MAX_SAFE_INTEGER);
    const state = chunks.length === 0 ? engine.get(stream.id) : undefined;
    const isRoot = state?.life === stream.life && state.ancestors.length === 0;
    if (isRoot && engine.forks(stream).length === 0 && isAlone()) {
      onCleared();
      return { wasDeleted: state.deleted, kept: false, cold: [], bytes: state.totalBytes };
    }
    const removal = engine.remove(stream);
    if (removal?.kept === false)
      outbox.add(chunks.map(({ chunk }) => segmentKey(digestOf(stream.life), chunk)));
    return removal && { ...removal, cold: [] };
  }
}

/** The segments of this object that neither its stream nor a ticket refers to. */
export function findUnreferenced(engine: Engine, outbox: DeletionOutbox, keys: readonly string[]): string[] {
  return keys.filter((key) => !holdsSegment(engine, key) && !outbox.contains(key));
}

/** Whether this is the segment of a chunk of the object's stream. */
export function holdsSegment(engine: Engine, key: string): boolean {
  const chunk = Number(key.slice(key.lastIndexOf('/') + 1));
  const [stream] = engine.list('', 1);
  if (!stream || segmentKey(digestOf(stream.life), chunk) !== key) return false;
  return engine.chunks(stream, chunk, chunk).length > 0;
}
