/**
 * Moves stored deadlines when the wall clock steps while the program runs. A deadline that was ten seconds ahead is
 * still ten seconds ahead: it neither expires early nor waits for the size of the step.
 */
import type { SqlDatabase } from './sql-database.js';

/** `stepMs`: negative for a step back. */
export function shiftDeadlines(database: SqlDatabase, stepMs: number): void {
  const step = Math.round(stepMs);
  for (const statement of SHIFTS) database.run(statement, [step]);
}

const SHIFTS = [
  "UPDATE audit_jobs SET locked_until = locked_until + ? WHERE status = 'running'",
  "UPDATE audit_jobs SET run_at = run_at + ? WHERE status = 'queued'",
  "UPDATE webhook_deliveries SET due_at = due_at + ? WHERE state = 'due'",
  'UPDATE idempotency_keys SET locked_until = locked_until + ?1, expires_at = expires_at + ?1',
];
