/**
 * A key of 64 hex digits for a job that stands for no work but its own, made of the job's id. The zeros mark it:
 * such keys are left out of the index that finds the same work, and no hash begins like that.
 */
export function uniqueKey(jobId: string = crypto.randomUUID()): string {
  const id = jobId.replaceAll('-', '');
  return `0000000000000000${id}0000000000000000`;
}
