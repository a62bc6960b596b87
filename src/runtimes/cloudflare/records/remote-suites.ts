/** The suite store as the Worker and the Workflows have it: the object of the tenant that a call names. */
import type { SuiteStore } from '../../../compare/index.js';
import type { EdgeEnv } from '../edge-env.js';
import { recordPortsOf } from './records-rpc.js';

export function createRemoteSuites(env: EdgeEnv): SuiteStore {
  const of = ({ tenantId }: { readonly tenantId: string }) => recordPortsOf(env, tenantId).suites;
  return {
    createSuite: (input) => of(input).createSuite(input),
    planSuite: (plan) => of(plan).planSuite(plan),
    savePathOutcome: (input) => of(input).savePathOutcome(input),
    endSuite: (input) => of(input).endSuite(input),
    getSuite: (key) => of(key).getSuite(key),
    getSuitePaths: (query) => of(query).getSuitePaths(query),
    getSuiteSealed: (key) => of(key).getSuiteSealed(key),
    removeSuite: (input) => of(input).removeSuite(input),
    listSuites: (query) => of(query).listSuites(query),
    // Each tenant's object ends its own by its alarm.
    endExpiredSuites: async () => [],
  };
}
