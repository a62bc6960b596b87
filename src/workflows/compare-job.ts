/** A comparison as a job: its payload names the row, and the row says the rest. */
import type { ComparisonKey } from '../compare/index.js';
import type { JobHandler, Progress } from '../jobs/index.js';
import { type CompareParts, compareEnvironments } from './compare-environments.js';

export function createCompareHandler(parts: CompareParts): JobHandler {
  return async (payload, run) => {
    const { tenantId, comparisonId } = payload as ComparisonKey;
    const context = {
      steps: run.steps,
      signal: run.signal,
      progress: (event: Progress) => run.progress(event),
      lastAttempt: run.job.attempt >= run.job.maxAttempts,
    };
    await compareEnvironments({ tenantId, comparisonId }, context, parts);
    return { comparisonId };
  };
}
