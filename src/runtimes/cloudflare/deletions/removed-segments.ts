/** Which segments are to go: those of a stream that is removed, and those that no stream holds. */
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
  /** Whether the object holds nothing besides its stream. */
  isAlone(): boolean;
  /** Instead of its rows, one by one, everything is to be deleted after this transaction. */
  onCleared(): void;
}

/**
 * The same store, whose removals write their segments into the outbox and leave nothing to be done above. Rows that
 * are deleted are billed as written, so a stream without segments and forks goes with the whole database.
 */
export function removingInto(engine: Engine, { outbox, isAlone, onCleared }: RemovalHooks): Engine {
  return new Proxy(engine, {
    get: (target, name) => (name === 'remove' ? remove : Reflect.get(target, name)),
  });
  function remove(stream: StreamKey): Removal | undefined {
    // Including chunks that are being sealed: their segment may be on its way to the bucket.
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

/** Of segments in this object's name, those that its stream does not hold and no ticket names. */
export function segmentsLeft(engine: Engine, outbox: DeletionOutbox, keys: readonly string[]): string[] {
  return keys.filter((key) => !holdsSegment(engine, key) && !outbox.names(key));
}

/** Whether the object's stream has a chunk whose segment this is. */
export function holdsSegment(engine: Engine, key: string): boolean {
  const chunk = Number(key.slice(key.lastIndexOf('/') + 1));
  const [stream] = engine.list('', 1);
  if (!stream || segmentKey(digestOf(stream.life), chunk) !== key) return false;
  return engine.chunks(stream, chunk, chunk).length > 0;
}
