/**
 * Rebuilds the table of events from earlier versions without row ids and secondary indexes. The columns are the same,
 * so an earlier version can read and write the new table, and the version of the schema stays the same.
 */
import { EVENTS_TABLE } from './record-schema.js';
import type { SqlDatabase } from './sql-database.js';

const COLUMNS = 'job_id, seq, event_id, audit_id, event_type, message, data_json, progress_pct, created_at';

export function reshapeEvents(database: SqlDatabase): void {
  const [table] = database.all("SELECT sql FROM sqlite_master WHERE name = 'audit_progress_events'", []);
  if (!table || /WITHOUT ROWID/.test(String(table['sql']))) return;
  database.transaction(() => {
    database.run('ALTER TABLE audit_progress_events RENAME TO audit_progress_events_before', []);
    database.run(EVENTS_TABLE, []);
    database.run(
      `INSERT INTO audit_progress_events (${COLUMNS}) SELECT ${COLUMNS} FROM audit_progress_events_before`,
      [],
    );
    database.run('DROP TABLE audit_progress_events_before', []);
  });
}
