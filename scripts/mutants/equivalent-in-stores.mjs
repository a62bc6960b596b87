// Mutants of src/stores/ without a visible effect; equivalent-mutants.mjs explains the rows.
/** @type {readonly (readonly [string, string])[]} */
export const EQUIVALENT_IN_STORES = [
  [
    'src/stores/postgres/postgres-job-store.ts settle: open.length > 0 → true',
    'Only saves a query that finds nothing.',
  ],
  [
    'src/stores/sqlite/claim-jobs.ts claimFairly: request.after ?? FIRST → request.after',
    'Nothing comes after null, and the second round then begins with the first tenant.',
  ],
  [
    'src/stores/sqlite/claim-jobs.ts take: chosen.length === 0 → false',
    'Only saves statements that find nothing.',
  ],
  ['src/stores/sqlite/list-jobs.ts compareNewestFirst: 1 → 2', 'Only the sign counts.'],
  [
    'src/stores/sqlite/list-jobs.ts compareNewestFirst: a.jobId < b.jobId → a.jobId <= b.jobId',
    'No job is listed twice.',
  ],
  [
    'src/stores/sqlite/prepare-schema.ts prepareSchema: found !== undefined && found > version → found > version',
    'The first half is for the compiler: nothing is above a version that is not there.',
  ],
  [
    'src/stores/sqlite/prepare-schema.ts readVersion: found > version → found >= version',
    'Data of the same version is never refused.',
  ],
  [
    'src/stores/sqlite/sqlite-job-store.ts #getExisting: !job → false',
    'Cannot happen: the job was read in the same transaction.',
  ],
  [
    'src/stores/sqlite/sqlite-job-store.ts #getExisting: throw new Error(`the job \u0024{jobId} disappeared while it was being changed`); → nothing',
    'Cannot happen: the job was read in the same transaction.',
  ],
  [
    'src/stores/sqlite/sqlite-job-store.ts SELECT_DELAYED_AHEAD: `SELECT job_id FROM ( SELECT job_id, queued_at, run_at FROM audit_jobs WHERE \u0024{DELAYED} AND run_at > ? ORDER BY run_at DESC LIMIT ? ) WHERE queued_at > ? OR run_at > ?` → `SELECT job_id FROM ( SELECT job_id, queued_at, run_at FROM audit_jobs WHERE \u0024{DELAYED} AND run_at >= ? ORDER BY run_at DESC LIMIT ? ) WHERE queued_at > ? OR run_at > ?`',
    'Neither outer condition holds for a job that may run now.',
  ],
  ['src/stores/sqlite/sqlite-job-store.ts cancel: false → true', 'Only the writes of a holder depend on it.'],
  [
    'src/stores/sqlite/sqlite-job-store.ts overview: 1 → 2',
    'Any time that is still to come stands for "none".',
  ],
  ['src/stores/sqlite/sqlite-job-store.ts reap: false → true', 'Only the writes of a holder depend on it.'],
  [
    "src/stores/sqlite/sqlite-job-store.ts reap: verdict.kind !== 'moves' → false",
    'For the compiler: a running job always moves when its lease expires.',
  ],
  ['src/stores/sqlite/sqlite-job-store.ts retry: false → true', 'Only the writes of a holder depend on it.'],
  [
    'src/stores/sqlite/sqlite-stream-store.ts #row: this.#allTailsChecked → false',
    'Only saves a check that was made and found nothing.',
  ],
  [
    'src/stores/sqlite/sqlite-stream-store.ts flush: row && this.#ended.has(id) → this.#ended.has(id)',
    'For the compiler: a row that must be written is in memory.',
  ],
  [
    'src/stores/sqlite/sqlite-subscription-store.ts #acknowledge: acks.strict && why → acks.strict',
    'For the compiler: an ack that does not apply has a fault.',
  ],
  [
    'src/stores/sqlite/sqlite-subscription-store.ts #acknowledge: link && !why → !why',
    'For the compiler: an unknown link has a fault.',
  ],
  [
    'src/stores/sqlite/sqlite-subscription-store.ts #saveChecks: seen !== link → true',
    'Only saves a write of what is there.',
  ],
  ['src/stores/sqlite/sqlite-subscription-store.ts #stepFrom: 1 → 2', 'It only counts whether there is one.'],
  [
    'src/stores/sqlite/sqlite-subscription-store.ts #stepFrom: verdict.state !== wake → true',
    'Only saves a write of what is there.',
  ],
  [
    'src/stores/sqlite/sqlite-subscription-store.ts seenOn: comparePositions(stream.tail, link.stream.tail) > 0 → comparePositions(stream.tail, link.stream.tail) >= 0',
    'A stream with the same hash and tail is the same.',
  ],
];
