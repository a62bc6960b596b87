/**
 * A key of 64 hex digits, made from the job's id, for a job that is never shared with other requests. The zeros mark
 * it: such keys are excluded from the index that finds the same work, and no hash starts like that.
 */
export function uniqueKey(jobId: string = crypto.randomUUID()): string {
  const id = jobId.replaceAll('-', '');
  return `0000000000000000${id}0000000000000000`;
}
