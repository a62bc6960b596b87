/** The comparison store for the Worker and the Workflows. It calls the object of each pair, found by the pair's key. */
import { type ComparisonStore, type CreateComparisonOutcome, pairKeyIn } from '../../../compare/index.js';
import { SondeError } from '../../../errors.js';
import { forwardMethods, methodNames } from '../../../port-methods.js';
import { ComparisonRows } from '../../../stores/portable/comparison-rows.js';
import type { EdgeEnv } from '../edge-env.js';
import { recordPortsOf, recordsRpcOf } from '../records/records-rpc.js';
import { unwrap } from '../wire-faults.js';
import { envPairOf } from './env-pair-rpc.js';
import { UNMADE_PAIR } from './unmade-pair.js';

const METHODS = methodNames(ComparisonRows.prototype);
const PAIR_KEY = /^[0-9a-f]{40}$/;

/** The argument of a method: a pair, or a comparison, whose id begins with its pair's key. */
type Named = { readonly pairKey: string } | { readonly pairKey?: undefined; readonly comparisonId: string };

export function createRemoteComparisons(env: EdgeEnv): ComparisonStore {
  const call = async (method: string, args: readonly unknown[]) => {
    const named = args[0] as Named;
    const pairKey = named.pairKey ?? pairKeyIn(named.comparisonId);
    if (pairKey === undefined) throw new SondeError('NOT_FOUND', 'comparison not found');
    // An invalid key must not create an object.
    if (!PAIR_KEY.test(pairKey)) return UNMADE_PAIR[method as keyof typeof UNMADE_PAIR](args[0] as never);
    return unwrap(envPairOf(env, pairKey).store(method, args));
  };
  return forwardMethods<ComparisonStore>(METHODS, call, {
    // The job is in another object, so the row is created first, and ends at the alarm of its object without a job.
    async createComparison({ job, ...input }) {
      const outcome = (await call('createComparison', [input])) as CreateComparisonOutcome;
      const isRunning = 'status' in outcome && outcome.status === 'running';
      if (job && isRunning) await recordPortsOf(env, input.tenantId).jobs.enqueue([job]);
      return outcome;
    },
    listPairs: ({ tenantId, limit, ...query }) => unwrap(recordsRpcOf(env, tenantId).listPairs(limit, query)),
  });
}
