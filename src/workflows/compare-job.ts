/** Job handlers for comparisons and suites. The payload identifies the row, which holds everything else. */
import type { ComparisonKey, SuiteKey } from '../compare/index.js';
import type { JobHandler, JobRun, Progress } from '../jobs/index.js';
import { type CompareDeps, compareEnvironments } from './compare-environments.js';
import { compareSuite, type SuiteDeps } from './compare-suite.js';

export function createCompareHandler(deps: CompareDeps): JobHandler {
  return async (payload, run) => {
    const { tenantId, comparisonId } = payload as ComparisonKey;
    await compareEnvironments({ tenantId, comparisonId }, contextOf(run), waitingDeps(deps, run));
    return { comparisonId };
  };
}

export function createSuiteHandler(deps: SuiteDeps): JobHandler {
  return async (payload, run) => {
    const { tenantId, suiteId } = payload as SuiteKey;
    const compare = waitingDeps(deps.compare, run);
    const fetchBytes: SuiteDeps['fetchBytes'] = (request, signal) =>
      run.during(() => deps.fetchBytes(request, signal));
    await compareSuite({ tenantId, suiteId }, contextOf(run), { ...deps, compare, fetchBytes });
    return { suiteId };
  };
}

/** Other jobs may run while this one waits for a target or a model. */
function waitingDeps(deps: CompareDeps, { during, job: { tenantId } }: JobRun): CompareDeps {
  const { explainer, turn, turns } = deps;
  const inTurn: <T>(probe: () => Promise<T>) => Promise<T> = turns?.of(tenantId) ?? ((probe) => probe());
  return {
    ...deps,
    ...(turn && { turn: () => turn(tenantId) }),
    probe: (request, options) => during(() => inTurn(() => deps.probe(request, options))),
    ...(explainer && { explainer: { explain: (...given) => during(() => explainer.explain(...given)) } }),
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
