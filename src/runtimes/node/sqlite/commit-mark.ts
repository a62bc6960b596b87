/**
 * Records the last commit of the stream store in a small file next to the database. SQLite silently ends a damaged log
 * at the first bad frame, so losses are always at the end of the log. If a start finds the last marked write, all
 * earlier writes exist too. If it does not, acknowledged writes were lost.
 */
import { rm } from 'node:fs/promises';
import {
  type AppendOutcome,
  type Creation,
  comparePositions,
  type Position,
  type Removal,
  type StreamKey,
  type StreamState,
} from '../../../streams/index.js';
import { MarkFile } from './mark-file.js';
import type { StoreCall, StoreResult } from './store-messages.js';

export type StreamMark = StreamKey &
  (
    | { readonly kind: 'written'; readonly tail: Position; readonly closed: boolean }
    | { readonly kind: 'removed' }
  );

export type Mark =
  | StreamMark
  /** There is no write to look for. */
  | { readonly kind: 'none' }
  /** The folder is a copy, which lacks later writes of the original. */
  | { readonly kind: 'restored' };

export class CommitMark {
  readonly #path: string;
  readonly #file: MarkFile<Fields>;
  #number: number;
  /** The mark when the file was opened; undefined if there is none. */
  readonly found: Mark | undefined;
  #last: Mark | undefined;

  constructor(path: string) {
    this.#path = path;
    this.#file = new MarkFile(path);
    const fields = this.#file.found;
    this.#number = fields?.[0] ?? 0;
    this.found = fields && markFrom(fields);
    this.#last = this.found;
  }

  /**
   * Call it before a commit. If the commit removes the stream that the mark names, and the process dies before the next
   * mark, the next start would report that stream as lost. So the mark is cleared first.
   */
  clearIfRemoved(calls: readonly StoreCall[]): void {
    const last = this.#last;
    if (last?.kind !== 'written') return;
    const removes = ({ store = 'streams', method, args }: StoreCall) =>
      store === 'streams' && method === 'remove' && (args[0] as StreamKey).id === last.id;
    if (calls.some(removes)) this.write({ kind: 'none' });
  }

  /** Records the last of these calls whose effect a later start can verify. */
  note(calls: readonly StoreCall[], results: readonly StoreResult[]): void {
    for (let n = calls.length - 1; n >= 0; n--) {
      const mark = markOf(calls[n], results[n]);
      if (mark) return this.write(mark);
    }
  }

  write(mark: Mark): void {
    this.#number++;
    this.#last = mark;
    try {
      this.#file.write(fieldsOf(this.#number, mark));
    } catch {
      this.#giveUp();
    }
  }

  close(): void {
    this.#file.close();
  }

  /** An outdated mark could name a stream that was removed later, so no mark is better. */
  #giveUp(): void {
    this.close();
    rm(this.#path, { force: true }).catch(() => undefined);
  }
}

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
    return outcome.kind === 'appended' ? writtenMark(outcome.state) : undefined;
  }
  if (call.method === 'create') {
    const { created, state } = result.value as Creation;
    return created && state ? writtenMark(state) : undefined;
  }
  if (call.method !== 'remove') return undefined;
  const removal = result.value as Removal | undefined;
  const { id, life } = call.args[0] as StreamKey;
  return removal && !removal.kept ? { kind: 'removed', id, life } : undefined;
}

function writtenMark({ id, life, tail, closed }: StreamState): Mark {
  return { kind: 'written', id, life, tail, closed };
}

/** Whether the store has the marked write; `state` is the stream with that id. */
export function hasMarkedWrite(mark: StreamMark, state: StreamState | undefined): boolean {
  const exists = state?.life === mark.life;
  if (mark.kind === 'removed') return !exists;
  return exists && comparePositions(state.tail, mark.tail) >= 0 && (state.closed || !mark.closed);
}
