/**
 * What the last commit of the stream store did, in a small file beside the database. SQLite ends a damaged log at the
 * first bad frame without a word; whatever is lost is then the end of the log, so a start that finds the last marked
 * write finds all before it, and one that does not knows that acknowledged writes are gone.
 *
 * A mark is written after its commit and before it is acknowledged. It is synced once a second, not each time: it
 * survives the death of the process at once and a power cut a second later, and is never ahead of the database.
 */
import { closeSync, constants, fdatasync, openSync, readSync, writeSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import {
  type AppendOutcome,
  type Creation,
  checksum,
  comparePositions,
  type Position,
  type Removal,
  type StreamKey,
  type StreamState,
} from '../../../streams/index.js';
import type { StoreCall, StoreResult } from './store-messages.js';

export type StreamMark = StreamKey &
  (
    | { readonly kind: 'written'; readonly tail: Position; readonly closed: boolean }
    | { readonly kind: 'removed' }
  );

export type Mark =
  | StreamMark
  /** There is nothing to look for. */
  | { readonly kind: 'none' }
  /** The folder is a copy: what its original wrote later is not here. */
  | { readonly kind: 'restored' };

/** Two places, written in turn: a power cut spoils at most one. */
const PLACES = 2;
const PLACE_BYTES = 8192;
/** Length and checksum of the text behind them. */
const HEAD_BYTES = 8;
const SYNC_MS = 1_000;

export class CommitMark {
  readonly #path: string;
  readonly #buffer = Buffer.alloc(PLACE_BYTES);
  #file: number | undefined;
  #number = 0;
  #syncing: ReturnType<typeof setTimeout> | undefined;
  /** As it was found; undefined where there is none. */
  readonly found: Mark | undefined;
  #last: Mark | undefined;

  constructor(path: string) {
    this.#path = path;
    this.#file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
    const marks = Array.from({ length: PLACES }, (_, place) => this.#read(place)).filter(
      (mark) => mark !== undefined,
    );
    const last = marks.sort((a, b) => a.number - b.number).at(-1);
    this.#number = last?.number ?? 0;
    this.found = last?.mark;
    this.#last = last?.mark;
  }

  /**
   * To be called before a commit. If it removes the stream that the mark names, and the process dies before the next mark
   * is written, a start would miss that stream: until then there is nothing to look for.
   */
  giveWay(calls: readonly StoreCall[]): void {
    const last = this.#last;
    if (last?.kind !== 'written') return;
    const removes = ({ store = 'streams', method, args }: StoreCall) =>
      store === 'streams' && method === 'remove' && (args[0] as StreamKey).id === last.id;
    if (calls.some(removes)) this.write({ kind: 'none' });
  }

  /** Notes the last of these calls that a later start can look for. */
  note(calls: readonly StoreCall[], results: readonly StoreResult[]): void {
    for (let n = calls.length - 1; n >= 0; n--) {
      const mark = markOf(calls[n], results[n]);
      if (mark) return this.write(mark);
    }
  }

  write(mark: Mark): void {
    if (this.#file === undefined) return;
    this.#number++;
    this.#last = mark;
    const length = this.#buffer.write(JSON.stringify(fieldsOf(this.#number, mark)), HEAD_BYTES);
    this.#buffer.writeInt32LE(length, 0);
    this.#buffer.writeUInt32LE(this.#checksum(length), 4);
    try {
      writeSync(this.#file, this.#buffer, 0, HEAD_BYTES + length, (this.#number % PLACES) * PLACE_BYTES);
      this.#syncing ??= setTimeout(() => this.#sync(), SYNC_MS).unref();
    } catch {
      this.#giveUp();
    }
  }

  close(): void {
    clearTimeout(this.#syncing);
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #read(place: number): { number: number; mark: Mark } | undefined {
    const read = readSync(this.#file ?? 0, this.#buffer, 0, PLACE_BYTES, place * PLACE_BYTES);
    const length = read < HEAD_BYTES ? 0 : this.#buffer.readInt32LE(0);
    if (length <= 0 || HEAD_BYTES + length > read) return undefined;
    if (this.#buffer.readUInt32LE(4) !== this.#checksum(length)) return undefined;
    const fields = JSON.parse(this.#buffer.toString('utf8', HEAD_BYTES, HEAD_BYTES + length)) as Fields;
    return { number: fields[0], mark: markFrom(fields) };
  }

  #checksum(length: number): number {
    return checksum(this.#buffer.subarray(HEAD_BYTES, HEAD_BYTES + length));
  }

  #sync(): void {
    this.#syncing = undefined;
    if (this.#file !== undefined) fdatasync(this.#file, () => undefined);
  }

  /** A mark that stays behind could name what was removed since: none is better. */
  #giveUp(): void {
    this.close();
    rm(this.#path, { force: true }).catch(() => undefined);
  }
}

/** As a flat list: a commit waits for it, and a nested object takes several times as long to write. */
type Fields = readonly [
  number: number,
  kind: Mark['kind'],
  id?: string,
  life?: string,
  chunk?: number,
  position?: number,
  closed?: boolean,
];

function fieldsOf(number: number, mark: Mark): Fields {
  if (mark.kind === 'none' || mark.kind === 'restored') return [number, mark.kind];
  const { id, life } = mark;
  if (mark.kind === 'removed') return [number, mark.kind, id, life];
  return [number, mark.kind, id, life, mark.tail.chunk, mark.tail.position, mark.closed];
}

function markFrom([, kind, id = '', life = '', chunk = 0, position = 0, closed = false]: Fields): Mark {
  if (kind === 'none' || kind === 'restored') return { kind };
  if (kind === 'removed') return { kind, id, life };
  return { kind, id, life, tail: { chunk, position }, closed };
}

function markOf(call: StoreCall | undefined, result: StoreResult | undefined): Mark | undefined {
  if (!call || !result || !('value' in result) || (call.store ?? 'streams') !== 'streams') return undefined;
  if (call.method === 'append') {
    const outcome = result.value as AppendOutcome;
    return outcome.kind === 'appended' ? written(outcome.state) : undefined;
  }
  if (call.method === 'create') {
    const { created, state } = result.value as Creation;
    return created && state ? written(state) : undefined;
  }
  if (call.method !== 'remove') return undefined;
  const removal = result.value as Removal | undefined;
  const { id, life } = call.args[0] as StreamKey;
  return removal && !removal.kept ? { kind: 'removed', id, life } : undefined;
}

function written({ id, life, tail, closed }: StreamState): Mark {
  return { kind: 'written', id, life, tail, closed };
}

/** Whether the store has what the mark names; `state` is the stream of that id. */
export function holds(mark: StreamMark, state: StreamState | undefined): boolean {
  const isThere = state?.life === mark.life;
  if (mark.kind === 'removed') return !isThere;
  return isThere && comparePositions(state.tail, mark.tail) >= 0 && (state.closed || !mark.closed);
}
