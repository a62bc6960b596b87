/**
 * Notifies readers that wait at a stream's tail. An append is published after its commit, together with its bytes, so
 * waiting readers need no store access; its wire encoding is computed once and shared. Appends to one stream that were
 * committed together are published as one event.
 */
import { CountMap } from '../count-map.js';
import { SondeError } from '../errors.js';
import { concatBytes } from '../net/index.js';
import type { Position } from './offset.js';
import type { StreamState } from './stream-store.js';
import type { ReaderShare } from './tenant-shares.js';

/** The bytes that were added to a stream between two positions. `shared` caches their encodings. */
export interface TailEvent {
  readonly from: Position;
  readonly bytes: Uint8Array;
  readonly state: StreamState;
  readonly shared: Map<string, Uint8Array>;
}

export interface TailWatcher {
  onAppend(event: TailEvent): void;
  /** The stream was removed; no more events follow. */
  onGone(): void;
}

interface PendingAppend {
  readonly from: Position;
  readonly parts: Uint8Array[];
  state: StreamState;
}

export class LiveTails {
  /** All maps are keyed by life, so a reader never gets bytes of a later stream with the same id. */
  readonly #watchers = new Map<string, Set<TailWatcher>>();
  readonly #pending = new Map<string, PendingAppend>();
  readonly #readersMax: number;
  readonly #perTenant = new CountMap();
  #readers = 0;

  constructor(readersMax: number) {
    this.#readersMax = readersMax;
  }

  get readers(): number {
    return this.#readers;
  }

  /** Calls `watcher` for every append after this call, until the returned function is called. */
  watch(life: string, watcher: TailWatcher, share?: ReaderShare): () => void {
    this.refuseIfFull(life, share);
    const watchers = this.#watchers.get(life) ?? new Set();
    this.#watchers.set(life, watchers.add(watcher));
    this.#count(share, 1);
    return () => {
      if (!watchers.delete(watcher)) return;
      this.#count(share, -1);
      if (watchers.size === 0) this.#watchers.delete(life);
    };
  }

  /** Checks the limits early, for a response whose head is sent before its reader starts to watch. */
  refuseIfFull(life: string, share?: ReaderShare): void {
    if ((this.#watchers.get(life)?.size ?? 0) >= this.#readersMax)
      throw tooManyReaders('a stream', this.#readersMax);
    if (share && this.#perTenant.get(share.tenant) >= share.max) throw tooManyReaders('a tenant', share.max);
  }

  #count(share: ReaderShare | undefined, change: 1 | -1): void {
    this.#readers += change;
    if (share) this.#perTenant.add(share.tenant, change);
  }

  publish(from: Position, data: Uint8Array | null, state: StreamState): void {
    const { life } = state;
    if (!this.#watchers.has(life)) return;
    const pending = this.#pending.get(life);
    if (pending) {
      if (data) pending.parts.push(data);
      pending.state = state;
      return;
    }
    const first: PendingAppend = { from, parts: data ? [data] : [], state };
    this.#pending.set(life, first);
    // Appends of one commit are published in the same turn, so a microtask later all of them are pending.
    queueMicrotask(() => this.#flush(first));
  }

  notifyGone(life: string): void {
    for (const watcher of [...(this.#watchers.get(life) ?? [])]) watcher.onGone();
  }

  #flush({ from, parts, state }: PendingAppend): void {
    const { life } = state;
    this.#pending.delete(life);
    const event: TailEvent = { from, bytes: concatBytes(parts), state, shared: new Map() };
    for (const watcher of [...(this.#watchers.get(life) ?? [])]) watcher.onAppend(event);
  }
}

function tooManyReaders(of: string, max: number): SondeError {
  return new SondeError('TOO_MANY_READERS', `${of} can have at most ${max} live readers`, {
    details: { max },
  });
}
