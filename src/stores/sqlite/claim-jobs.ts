/**
 * Claims ready jobs, fairly across tenants: the tenant with the fewest running jobs comes first, then the one whose
 * turn it is. A tenant gets at most its share of the worker's places; one of which the worker holds no job is a guest,
 * for whom there are places of their own. Reads only ready rows, by their index, and a bounded number of tenants.
 */
import {
  type Claimed,
  type ClaimedJob,
  type ClaimRequest,
  LEASE_EXPIRED,
  QUOTA_DEFAULTS,
  readQuotas,
} from '../../jobs/index.js';
import { type Candidate, chooseFairly } from './choose-fairly.js';
import type { SqlDatabase } from './sql-database.js';
import { claimedOf, PROGRESS } from './sql-rows.js';

const TENANTS_MAX = 256;
const FIRST = '';

export function claimJobs(database: SqlDatabase, request: ClaimRequest, now: number): Claimed {
  const kinds = JSON.stringify(request.kinds);
  const suspects = database.all(SELECT_SUSPECT, [now, kinds]).map((row) => String(row['job_id']));
  if (request.which !== 'alone') {
    const claimed = claimFairly(database, request, now);
    return { ...claimed, suspects: request.which === 'shared' && suspects.length > 0 };
  }
  return { jobs: take(database, suspects, { request, now }), capped: false, suspects: false };
}

function claimFairly(database: SqlDatabase, request: ClaimRequest, now: number): Omit<Claimed, 'suspects'> {
  const kinds = JSON.stringify(request.kinds);
  const any = Number(request.which === undefined);
  const candidates: Candidate<string>[] = [];
  let capped = false;
  for (const tenantId of tenantsInTurn(database, request.after ?? FIRST)) {
    const { running, max } = load(database, tenantId, request.runningMax);
    const held = request.share?.held[tenantId] ?? 0;
    const isGuest = request.share !== undefined && held === 0 && running < max;
    const room = Math.min(request.limit, max - running, (request.share?.heldMax ?? request.limit) - held);
    const limit = Math.max(room, Number(isGuest));
    const rows = database.all(SELECT_READY, [tenantId, now, kinds, any, Math.max(limit, 1)]);
    if (rows.length === 0) continue;
    capped ||= room < Math.max(1, request.limit);
    if (limit <= 0) continue;
    for (const [index, row] of rows.entries()) {
      candidates.push({
        item: String(row['job_id']),
        place: running + index,
        isGuest: isGuest && index === 0,
      });
    }
  }
  const chosen = chooseFairly(candidates, request.limit, request.share?.guests ?? 0);
  return { jobs: take(database, chosen, { request, now }), capped };
}

/** Tenants with queued jobs, starting after `after` and wrapping around. */
function tenantsInTurn(database: SqlDatabase, after: string): string[] {
  const found: string[] = [];
  for (const [from, isOver] of [
    [after, () => false],
    [FIRST, (id: string) => id > after],
  ] as const) {
    for (let at = from; found.length < TENANTS_MAX; ) {
      const next = String(database.all(SELECT_NEXT_TENANT, [at])[0]?.['tenant_id'] ?? '');
      if (next === '' || isOver(next)) break;
      found.push(next);
      at = next;
    }
  }
  return found;
}

function load(database: SqlDatabase, tenantId: string, runningMax: number): { running: number; max: number } {
  const [row] = database.all(SELECT_LOAD, [tenantId, tenantId]);
  const { jobsRunning = Math.min(runningMax, QUOTA_DEFAULTS.jobsRunning) } = readQuotas(
    JSON.parse(String(row?.['quotas_json'] ?? '{}')),
  );
  return { running: Number(row?.['running']), max: jobsRunning };
}

function take(
  database: SqlDatabase,
  chosen: readonly string[],
  { request, now }: { readonly request: ClaimRequest; readonly now: number },
): readonly ClaimedJob[] {
  if (chosen.length === 0) return [];
  const ids = JSON.stringify(chosen);
  database.run(TAKE, [now, now + request.leaseMs, request.workerId, ids]);
  return database.all(SELECT_CLAIMED, [ids]).map(claimedOf);
}

const SELECT_NEXT_TENANT = `SELECT tenant_id FROM audit_jobs
  WHERE status = 'queued' AND tenant_id > ? ORDER BY tenant_id LIMIT 1`;

const SELECT_LOAD = `SELECT t.quotas_json,
  (SELECT count(*) FROM audit_jobs WHERE status = 'running' AND tenant_id = ?) AS running
  FROM tenants t WHERE t.id = ?`;

/**
 * A job to run alone, because it may be what kills its workers. Must match the index `audit_jobs_last_try`. With the
 * single column on the right of the comparison, SQLite would not use that index.
 */
export const SUSPECT = `status = 'queued' AND max_attempts <= attempt + 1 AND last_error = '${LEASE_EXPIRED}'`;

/** Queued jobs that could run at once; must match the index `audit_jobs_undelayed`. */
export const UNDELAYED = `status = 'queued' AND run_at <= queued_at`;
/** Delayed or retried jobs; must match the index `audit_jobs_delayed`. */
export const DELAYED = `status = 'queued' AND run_at > queued_at`;

const SELECT_SUSPECT = `SELECT job_id FROM audit_jobs
  WHERE ${SUSPECT} AND run_at <= ? AND kind IN (SELECT value FROM json_each(?)) ORDER BY run_at LIMIT 1`;

const SELECT_READY = `SELECT job_id FROM audit_jobs
  WHERE status = 'queued' AND tenant_id = ? AND run_at <= ? AND kind IN (SELECT value FROM json_each(?))
    AND (? OR last_error IS NULL OR NOT (${SUSPECT}))
  ORDER BY priority, queued_at, job_id LIMIT ?`;

const TAKE = `UPDATE audit_jobs SET status = 'running', attempt = attempt + 1, lease_token = lease_token + 1,
  started_at = coalesce(started_at, max(?, queued_at)), locked_until = ?, locked_by = ?
  WHERE job_id IN (SELECT value FROM json_each(?))`;

export function jobsHeldBy(database: SqlDatabase, workerId: string): readonly ClaimedJob[] {
  return database.all(SELECT_HELD, [workerId]).map(claimedOf);
}

const SELECT_HELD = `SELECT j.*, t.slug, ${PROGRESS} FROM audit_jobs j JOIN tenants t ON t.id = j.tenant_id
  WHERE j.status = 'running' AND j.locked_by = ?`;

const SELECT_CLAIMED = `SELECT j.*, t.slug, ${PROGRESS}
  FROM json_each(?) given JOIN audit_jobs j ON j.job_id = given.value JOIN tenants t ON t.id = j.tenant_id
  ORDER BY given.key`;
