/** The comparison store for the Worker and the Workflows. It calls the object of each pair, found by the pair's key. */
import { type ComparisonStore, pairKeyIn } from '../../../compare/index.js';
import { SondeError } from '../../../errors.js';
import type { EdgeEnv } from '../edge-env.js';
import { recordsRpcOf } from '../records/records-rpc.js';
import { unwrap } from '../wire-faults.js';
import { envPairOf } from './env-pair-rpc.js';

type Method = keyof ComparisonStore;
type Args<Name extends Method> = Parameters<ComparisonStore[Name]>;
type Result<Name extends Method> = ReturnType<ComparisonStore[Name]>;

const PAIR_KEY = /^[0-9a-f]{40}$/;

export function createRemoteComparisons(env: EdgeEnv): ComparisonStore {
  const call = <Name extends Method>(pairKey: string, method: Name, ...args: Args<Name>) =>
    unwrap(envPairOf(env, pairKey).store(method, args)) as Result<Name>;
  /** Finds the object by the id of a comparison, which begins with its pair's key. */
  const byId =
    <Name extends Method>(method: Name) =>
    (input: Args<Name>[0] & { readonly comparisonId: string }) => {
      const pairKey = pairKeyIn(input.comparisonId);
      if (!pairKey) throw new SondeError('NOT_FOUND', 'comparison not found');
      return call(pairKey, method, ...([input] as unknown as Args<Name>));
    };
  return {
    createComparison: (input) => call(input.pairKey, 'createComparison', input),
    saveProbe: byId('saveProbe'),
    saveResult: byId('saveResult'),
    failComparison: byId('failComparison'),
    getComparison: byId('getComparison'),
    getProbes: byId('getProbes'),
    getSealed: byId('getSealed'),
    saveExplanation: byId('saveExplanation'),
    async getComparisonsForHistory(query) {
      // An invalid key must not create an object.
      return PAIR_KEY.test(query.pairKey) ? call(query.pairKey, 'getComparisonsForHistory', query) : [];
    },
    acceptFindings: (input) => call(input.pairKey, 'acceptFindings', input),
    async getAccepted(pair) {
      return PAIR_KEY.test(pair.pairKey) ? call(pair.pairKey, 'getAccepted', pair) : [];
    },
    async removeAccepted(input) {
      return PAIR_KEY.test(input.pairKey) && (await call(input.pairKey, 'removeAccepted', input));
    },
    removeComparison: byId('removeComparison'),
    async removePair(pair) {
      return PAIR_KEY.test(pair.pairKey) ? call(pair.pairKey, 'removePair', pair) : { kind: 'missing' };
    },
    listPairs: ({ tenantId, limit }) => unwrap(recordsRpcOf(env, tenantId).listPairs(limit)),
    // Each object's alarm ends its own comparisons.
    endExpired: async () => [],
  };
}
