/** SQL for the database's clock and the state in which processes leave it. Times are milliseconds since the epoch. */
import { pgStatement } from '../pg-database.js';

export const READ_CLOCK = pgStatement('read_clock')`
  SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms`;

/** The time of the transaction, which `now()` returns in all of its statements. */
export const READ_TRANSACTION_CLOCK = pgStatement('read_transaction_clock')`
  SELECT extract(epoch FROM now())::float8 * 1000 AS ms`;

/** `$1` boot. Returns the state of this boot, or else the newest one. */
export const SELECT_CLOCK = pgStatement('select_clock')`
  SELECT state_json FROM sonde_clock ORDER BY boot = $1 DESC, steady_ms DESC LIMIT 1`;

/** `$1` boot, `$2` steady time, `$3` state. */
export const SAVE_CLOCK = pgStatement('save_clock')`
  INSERT INTO sonde_clock (boot, steady_ms, state_json) VALUES ($1, $2::float8, $3)
  ON CONFLICT (boot) DO UPDATE SET steady_ms = excluded.steady_ms, state_json = excluded.state_json`;

/** `$1` steady time. Removes the states of boots that are long over. */
export const FORGET_CLOCKS = pgStatement('forget_clocks')`
  DELETE FROM sonde_clock WHERE steady_ms < $1::float8 RETURNING boot`;
