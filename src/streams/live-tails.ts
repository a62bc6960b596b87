/**
 * Notifies readers that wait at a stream's tail. An append is published after its commit, together with its bytes, so
 * waiting readers need no store access; its wire encoding is computed once and shared. Appends to one stream that were
 * committed together, or while earlier ones were handed out, are published as one event.
 *
 * A turn of the event loop hands out to some hundred readers. Streams take turns, so that a stream with thousands of
 * readers delays neither other work nor other streams. Every reader gets the events of its stream in order.
 */
import { CountMap } from '../count-map.js';
import { SondeError } from '../errors.js';
import { ACTS_PER_TURN, actInTurns, type Turn, timerTurn } from '../loop-turns.js';
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
  parts: Uint8Array[];
  bytes: number;
  /** Whether the parts grew too large and were dropped. */
  isCut: boolean;
  state: StreamState;
  /** Readers that came later have read these appends from the store. */
  sequence: number;
}

/** The readers of one life of a stream, so that none gets bytes of a later stream with the same id. */
interface Tail {
  /** By the sequence number of the last append before each of them. */
  readonly watchers: Map<TailWatcher, number>;
  pending?: PendingAppend | undefined;
  /** The event that is being handed out, and who gets it. */
  current?: { readonly event: TailEvent; readonly left: Iterator<TailWatcher> } | undefined;
}

/**
 * Bytes kept for readers while earlier ones are handed out. Beyond, readers get an event that does not continue where
 * they are, and read from the store.
 */
const PENDING_BYTES_MAX = 16 * 1024 * 1024;

export class LiveTails {
  readonly #tails = new Map<string, Tail>();
  /** Tails with something to hand out; each is in the list once. */
  readonly #ready: Tail[] = [];
  #isHandingOut = false;
  #sequence = 0;
  readonly #readersMax: number;
  readonly #perTenant = new CountMap();
  readonly #turn: Turn;
  #readers = 0;

  constructor(readersMax: number, turn: Turn = timerTurn) {
    this.#readersMax = readersMax;
    this.#turn = turn;
  }

  get readers(): number {
    return this.#readers;
  }

  /** Calls `watcher` for every append after this call, until the returned function is called. */
  watch(life: string, watcher: TailWatcher, share?: ReaderShare): () => void {
    this.refuseIfFull(life, share);
    const tail = this.#tails.get(life) ?? { watchers: new Map() };
    this.#tails.set(life, tail);
    tail.watchers.set(watcher, this.#sequence);
    this.#count(share, 1);
    return () => {
      if (!tail.watchers.delete(watcher)) return;
      this.#count(share, -1);
      if (tail.watchers.size === 0) this.#tails.delete(life);
    };
  }

  /** Checks the limits early, for a response whose head is sent before its reader starts to watch. */
  refuseIfFull(life: string, share?: ReaderShare): void {
    if ((this.#tails.get(life)?.watchers.size ?? 0) >= this.#readersMax)
      throw tooManyReaders('a stream', this.#readersMax);
    if (share && this.#perTenant.get(share.tenant) >= share.max) throw tooManyReaders('a tenant', share.max);
  }

  #count(share: ReaderShare | undefined, change: 1 | -1): void {
    this.#readers += change;
    if (share) this.#perTenant.add(share.tenant, change);
  }

  publish(from: Position, data: Uint8Array | null, state: StreamState): void {
    const tail = this.#tails.get(state.life);
    if (!tail) return;
    this.#sequence += 1;
    const isReady = tail.pending !== undefined || tail.current !== undefined;
    tail.pending ??= { from, parts: [], bytes: 0, isCut: false, state, sequence: 0 };
    tail.pending.state = state;
    tail.pending.sequence = this.#sequence;
    if (data) keep(tail.pending, data);
    if (isReady) return;
    this.#ready.push(tail);
    if (this.#isHandingOut) return;
    this.#isHandingOut = true;
    // Appends of one commit are published in the same turn, so a microtask later all of them are pending.
    queueMicrotask(() => void this.#handOut());
  }

  notifyGone(life: string): void {
    const watchers = new Set(this.#tails.get(life)?.watchers.keys());
    void actInTurns(watchers, (watcher) => watcher.onGone(), this.#turn);
  }

  async #handOut(): Promise<void> {
    let acts = ACTS_PER_TURN;
    for (let tail = this.#ready.shift(); tail; tail = this.#ready.shift()) {
      acts -= handOutTo(tail, acts);
      if (tail.current || tail.pending) this.#ready.push(tail);
      if (acts > 0) continue;
      await this.#turn();
      acts = ACTS_PER_TURN;
    }
    this.#isHandingOut = false;
  }
}

function keep(pending: PendingAppend, data: Uint8Array): void {
  pending.bytes += data.length;
  // The first part is never dropped: an event of one append costs no more than the append did.
  if (pending.parts.length > 0 && pending.bytes > PENDING_BYTES_MAX) pending.isCut = true;
  if (pending.isCut) pending.parts = [];
  else pending.parts.push(data);
}

/** Calls at most so many readers, and returns how many. */
function handOutTo(tail: Tail, max: number): number {
  const { pending, watchers } = tail;
  if (!tail.current && pending) {
    tail.pending = undefined;
    const early = [...watchers].filter(([, since]) => since < pending.sequence);
    tail.current = { event: eventOf(pending), left: early.map(([watcher]) => watcher).values() };
  }
  if (!tail.current) return 0;
  const { event, left } = tail.current;
  for (let acts = 0; acts < max; ) {
    const { value: watcher, done } = left.next();
    if (done) {
      tail.current = undefined;
      return acts;
    }
    // Others may have left meanwhile.
    if (!watchers.has(watcher)) continue;
    acts += 1;
    watcher.onAppend(event);
  }
  return max;
}

function eventOf({ from, parts, isCut, state }: PendingAppend): TailEvent {
  return { from: isCut ? state.tail : from, bytes: concatBytes(parts), state, shared: new Map() };
}

function tooManyReaders(of: string, max: number): SondeError {
  return new SondeError('TOO_MANY_READERS', `${of} can have at most ${max} live readers`, {
    details: { max },
  });
}
