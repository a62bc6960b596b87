/** The suite store for the Worker and the Workflows. Each call goes to the object of the tenant that it names. */
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
    // Each tenant's object ends its own suites at its alarm.
    endExpiredSuites: async () => [],
  };
}
