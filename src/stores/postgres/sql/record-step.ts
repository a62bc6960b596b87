/** SQL that records a step's result under the lease and renews the lease. */
import { pgStatement } from '../pg-database.js';

/** `$1` job, `$2` lease token, `$3` lease ms, `$4` name, `$5` result. */
export const RECORD_STEP = pgStatement('record_step')`
WITH held AS (
  UPDATE audit_jobs SET locked_until = steady_now() + $3::float8 * interval '1 millisecond'
  WHERE job_id = $1 AND lease_token = $2 AND status = 'running'
  RETURNING job_id, lease_token
),
recorded AS (
  INSERT INTO audit_job_steps (job_id, name, result_json, lease_token)
  SELECT job_id, $4, $5, lease_token FROM held
  ON CONFLICT (job_id, name) DO NOTHING
)
SELECT job_id FROM held`;

export const SELECT_STEPS = pgStatement('select_steps')`
  SELECT name, result_json FROM audit_job_steps WHERE job_id = $1`;
