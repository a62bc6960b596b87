/**
 * Runs a batch of calls as one transaction, with one sync of the disk. Each call has its own savepoint, so a call that
 * fails or needs a damaged page does not affect the others. Results are returned only after the commit. After an I/O
 * error every call is refused, because the disk can no longer be trusted. Files that are no longer at their paths are
 * not written to.
 */
import type { RecordStores } from '../../../stores/sqlite/record-stores.js';
import { shiftDeadlines } from '../../../stores/sqlite/shift-deadlines.js';
import type { OpenFiles } from '../open-files.js';
import type { CommitCounter } from '../sqlite/commit-counter.js';
import type { OpenDatabase } from '../sqlite/open-database.js';
import { causeOf, endsTransaction, isFatal, toStoreError } from '../sqlite/sqlite-faults.js';
import { isBackground, type RecordCall, type RecordFault, type RecordResult } from './records-messages.js';
import type { BatchClock } from './records-time.js';

export interface BatchDeps {
  readonly database: OpenDatabase;
  readonly stores: RecordStores;
  /** Makes the loss of acknowledged commits visible at the next start. */
  readonly counter?: Pick<CommitCounter, 'changes' | 'count' | 'committed' | 'undone'>;
  readonly files: Pick<OpenFiles, 'check'>;
  readonly clock: BatchClock;
}

export class BatchTransactions {
  readonly #deps: BatchDeps;
  #broken: RecordFault | undefined;
  /** The clock step that is not committed yet, so that it is applied exactly once even if batches fail. */
  #pendingStepMs = 0;

  constructor(deps: BatchDeps) {
    this.#deps = deps;
  }

  run(calls: readonly RecordCall[]): readonly RecordResult[] {
    const broken = this.#broken;
    if (broken) return calls.map(() => ({ fault: broken }));
    const { files, database, counter } = this.#deps;
    try {
      files.check();
      database.begin();
      const changes = counter?.changes() ?? 0;
      this.#applyClockStep();
      const results = calls.map((call) => this.#one(call));
      if (counter && counter.changes() > changes) counter.count();
      database.commit(calls.some(isBackground) ? 'background' : undefined);
      counter?.committed();
      this.#pendingStepMs = 0;
      return results;
    } catch (error) {
      const faults = this.#undo(calls, error);
      // A call that does not need the disk space or the damaged page can still succeed.
      const canRunAlone = calls.length > 1 && endsTransaction(error) && !this.#broken;
      return canRunAlone ? calls.flatMap((each) => this.run([each])) : faults;
    }
  }

  #applyClockStep(): void {
    this.#pendingStepMs += this.#deps.clock.takeStep();
    const stepped = this.#pendingStepMs !== 0;
    if (stepped) shiftDeadlines(this.#deps.database, this.#pendingStepMs);
    this.#deps.clock.save(stepped);
  }

  #one({ store: name, method, args }: RecordCall): RecordResult {
    try {
      const store = this.#deps.stores[name] as unknown as Record<
        string,
        (...args: readonly unknown[]) => unknown
      >;
      return { value: this.#deps.database.transaction(() => store[method]?.(...args)) };
    } catch (error) {
      if (endsTransaction(error)) throw error;
      return { fault: recordFault(error) };
    }
  }

  #undo(calls: readonly RecordCall[], error: unknown): readonly RecordResult[] {
    const fault = recordFault(error);
    this.#deps.counter?.undone();
    if (isFatal(error)) this.#broken = fault;
    try {
      this.#deps.database.rollback();
    } catch {
      // SQLite has already rolled back the transaction, or never began it.
    }
    return calls.map(() => ({ fault }));
  }
}

export function recordFault(error: unknown): RecordFault {
  const fault = toStoreError(error);
  const { code, message, details } = fault;
  return { code, message, details, ...causeOf(fault) };
}
