/**
 * Moves the ends of streams and keys when a step of the clock is accepted, so that what was written since the step
 * keeps its remaining life. Ends that a caller gave as a date stay, and so does what was not used since the step.
 */
import type { AcceptedStep, ClockState } from '../../clock-watch.js';
import { SqliteClockState } from './clock-state.js';
import type { SqlDatabase } from './sql-database.js';
import type { SqliteStreamStore } from './sqlite-stream-store.js';
import { expiresText, expiryOf } from './stream-row.js';

/** The clock of the file of streams. */
export class StreamClock extends SqliteClockState {
  readonly #database: SqlDatabase;
  readonly #streams: SqliteStreamStore;

  constructor(database: SqlDatabase, streams: SqliteStreamStore) {
    super(database);
    this.#database = database;
    this.#streams = streams;
  }

  /** `state` is the one after the step. */
  accept(step: AcceptedStep, state: ClockState): void {
    this.#streams.changeRows(() => moveStreamEnds(this.#database, step));
    // Keys have no time of use, so all of them move.
    this.#database.run('UPDATE proxy_creates SET expires_at = expires_at + ?', [Math.round(step.byMs)]);
    this.save(state);
  }
}

function moveStreamEnds(database: SqlDatabase, { byMs, sinceMs }: AcceptedStep): void {
  const by = Math.round(byMs);
  const since = Math.floor(sinceMs);
  database.run(MOVE_USES, [by, since]);
  for (const row of database.all(OWN_STREAMS, [since])) {
    const end = (expiryOf(row) ?? 0) + by;
    database.run(MOVE_END, [expiresText(end), end, by, String(row['stream_id'])]);
  }
}

/** `expiry_check_at` only has to be early enough: at a step ahead the old value stays. */
const MOVE_USES = `UPDATE streams SET accessed_at = accessed_at + ?1,
    expiry_check_at = min(expiry_check_at, expiry_check_at + ?1)
  WHERE expiry_check_at IS NOT NULL AND ttl_seconds IS NOT NULL AND accessed_at >= ?2`;

const OWN_STREAMS = `SELECT stream_id, stream_expires_at FROM streams
  WHERE expiry_check_at IS NOT NULL AND collection LIKE 'proxy/%' AND stream_expires_at IS NOT NULL
    AND accessed_at >= ?`;

const MOVE_END = `UPDATE streams SET stream_expires_at = ?, expiry_check_at = ?, accessed_at = accessed_at + ?
  WHERE stream_id = ?`;
