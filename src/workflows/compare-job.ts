/** A comparison, and a suite of them, as a job: its payload names the row, and the row says the rest. */
import type { ComparisonKey, SuiteKey } from '../compare/index.js';
import type { JobHandler, JobRun, Progress } from '../jobs/index.js';
import { type CompareParts, compareEnvironments } from './compare-environments.js';
import { compareSuite, type SuiteParts } from './compare-suite.js';

export function createCompareHandler(parts: CompareParts): JobHandler {
  return async (payload, run) => {
    const { tenantId, comparisonId } = payload as ComparisonKey;
    await compareEnvironments({ tenantId, comparisonId }, contextOf(run), parts);
    return { comparisonId };
  };
}

export function createSuiteHandler(parts: SuiteParts): JobHandler {
  return async (payload, run) => {
    const { tenantId, suiteId } = payload as SuiteKey;
    await compareSuite({ tenantId, suiteId }, contextOf(run), parts);
    return { suiteId };
  };
}

function contextOf(run: JobRun) {
  return {
    steps: run.steps,
    signal: run.signal,
    progress: (event: Progress) => run.progress(event),
    lastAttempt: run.job.attempt >= run.job.maxAttempts,
  };
}
