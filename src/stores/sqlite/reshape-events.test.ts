import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../runtimes/node/sqlite/open-database.js';
import { createRecordStores } from './record-stores.js';

const BEFORE = [
  'DROP TABLE audit_progress_events',
  `CREATE TABLE audit_progress_events (
    event_id TEXT PRIMARY KEY,
    audit_id TEXT REFERENCES audits (id),
    job_id TEXT NOT NULL REFERENCES audit_jobs (job_id) ON DELETE CASCADE,
    seq INTEGER NOT NULL, event_type TEXT NOT NULL, message TEXT, data_json TEXT, progress_pct INTEGER,
    created_at INTEGER NOT NULL, UNIQUE (job_id, seq))`,
  'CREATE INDEX audit_events_audit ON audit_progress_events (audit_id) WHERE audit_id IS NOT NULL',
];

test('events of an earlier version keep their content and lose their indexes', () => {
  const database = openDatabase(':memory:');
  onTestFinished(() => database.close());
  const { jobs, tenants } = createRecordStores(database, () => 1);
  tenants.create({ id: 't', slug: 't', name: 'T', quotas: {} });
  const idempotencyKey = 'a'.repeat(64);
  const payload = { kind: 'hello' };
  jobs.enqueue([{ jobId: 'j', tenantId: 't', kind: 'hello', maxAttempts: 3, payload, idempotencyKey }]);
  for (const statement of BEFORE) database.run(statement, []);
  database.run(
    `INSERT INTO audit_progress_events (event_id, job_id, seq, event_type, message, created_at)
      VALUES ('e1', 'j', 1, 'metric', 'half', 7)`,
    [],
  );
  const after = createRecordStores(database, () => 1);
  expect(after.jobs.events('t', 'j', { after: 0, limit: 10 })).toMatchObject([
    { eventId: 'e1', jobId: 'j', seq: 1, type: 'metric', message: 'half', createdAt: 7 },
  ]);
  const indexes =
    "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = 'audit_progress_events'";
  expect(database.all(indexes, [])).toEqual([]);
});
