/** Job handlers for comparisons and suites. The payload identifies the row, which holds everything else. */
import type { ComparisonKey, SuiteKey } from '../compare/index.js';
import type { JobHandler, JobRun, Progress } from '../jobs/index.js';
import { type CompareDeps, compareEnvironments } from './compare-environments.js';
import { compareSuite, type SuiteDeps } from './compare-suite.js';

export function createCompareHandler(deps: CompareDeps): JobHandler {
  return async (payload, run) => {
    const { tenantId, comparisonId } = payload as ComparisonKey;
    await compareEnvironments({ tenantId, comparisonId }, contextOf(run), deps);
    return { comparisonId };
  };
}

export function createSuiteHandler(deps: SuiteDeps): JobHandler {
  return async (payload, run) => {
    const { tenantId, suiteId } = payload as SuiteKey;
    await compareSuite({ tenantId, suiteId }, contextOf(run), deps);
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
