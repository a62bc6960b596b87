/**
 * What the database itself recorded of a run under faults: a trigger logs every change of a job's status. Checks what
 * must hold for these changes and for the events after the run.
 */
import type pg from 'pg';
import { expect } from 'vitest';

const RECLAIM_MS = 5_000;

type AskDatabase = (text: string) => Promise<pg.QueryResultRow[]>;

export interface Downtime {
  readonly from: number;
  readonly to: number;
}

/** Logs every change of a job's status, in the database itself. */
export const WATCH_JOBS = `
CREATE TABLE job_changes (
  job_id uuid, was text, became text, token bigint, locked_until timestamptz, locked_by text,
  at timestamptz DEFAULT clock_timestamp()
);
CREATE FUNCTION note_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO job_changes (job_id, was, became, token, locked_until, locked_by)
  VALUES (NEW.job_id, OLD.status, NEW.status, NEW.lease_token, OLD.locked_until, OLD.locked_by);
  RETURN NULL;
END $$;
CREATE TRIGGER note_change AFTER UPDATE OF status ON audit_jobs FOR EACH ROW
  WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION note_change();`;

export async function checkLedger(
  sql: AskDatabase,
  { jobs, downtimes }: { readonly jobs: number; readonly downtimes: readonly Downtime[] },
): Promise<{ reclaimed: number; slowestMs: number }> {
  const statuses = await sql('SELECT status, count(*)::int AS n FROM audit_jobs GROUP BY 1');
  expect(statuses).toEqual([{ status: 'done', n: jobs }]);
  // Every job ended once, according to the database and to the events.
  const ends = await sql(
    "SELECT job_id FROM job_changes WHERE became = 'done' GROUP BY 1 HAVING count(*) <> 1",
  );
  expect(ends).toEqual([]);
  const left = await sql("SELECT job_id FROM job_changes WHERE was IN ('done', 'failed', 'canceled')");
  expect(left).toEqual([]);
  const [counted] = await sql(
    `SELECT count(*)::int AS n, count(DISTINCT e.job_id)::int AS jobs,
        count(*) FILTER (WHERE (e.data_json -> 'result' ->> 'lease')::bigint <> j.lease_token)::int AS stale
      FROM audit_progress_events e JOIN audit_jobs j USING (job_id)
      WHERE e.event_type = 'status_changed' AND e.message = 'done'`,
  );
  expect(counted).toEqual({ n: jobs, jobs, stale: 0 });
  // Events of a lease never follow those of a later lease.
  const stale = await sql(
    `SELECT job_id FROM (
        SELECT job_id, token, max(token) OVER (PARTITION BY job_id ORDER BY seq) AS newest FROM (
          SELECT job_id, seq, coalesce(data_json ->> 'lease', data_json -> 'result' ->> 'lease')::bigint AS token
          FROM audit_progress_events
        ) tokens WHERE token IS NOT NULL
      ) ordered WHERE token < newest`,
  );
  expect(stale).toEqual([]);
  return checkReclaims(sql, downtimes);
}

async function checkReclaims(
  sql: AskDatabase,
  downtimes: readonly Downtime[],
): Promise<{ reclaimed: number; slowestMs: number }> {
  const rows = await sql(
    `SELECT locked_until, at FROM job_changes
      WHERE was = 'running' AND became = 'queued' AND locked_until <= at`,
  );
  const late = rows.map((row) => {
    const [due, at] = [(row['locked_until'] as Date).getTime(), (row['at'] as Date).getTime()];
    // While the database is down nothing can be reclaimed.
    const away = downtimes.reduce(
      (sum, { from, to }) => sum + Math.max(0, Math.min(at, to) - Math.max(due, from)),
      0,
    );
    const restartedMs = Math.min(
      ...downtimes.map(({ to }) => (at >= to ? at - to : Number.POSITIVE_INFINITY)),
    );
    return { lateMs: at - due - away, restartedMs, at };
  });
  const slow = late.filter(({ lateMs }) => lateMs > RECLAIM_MS);
  expect(slow, 'leases that were reclaimed too late').toEqual([]);
  return { reclaimed: rows.length, slowestMs: Math.max(0, ...late.map(({ lateMs }) => lateMs)) };
}
