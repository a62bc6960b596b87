/** Queries and mutations for comparisons, pairs, suites and baselines. */
import { queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import { usePollMs } from '../live/connection';
import { useLatch } from '../use-latch';
import { api, unwrap } from './client';
import type { Comparison, SuiteWithPaths } from './types';

export const pairsQuery = () =>
  queryOptions({
    queryKey: ['compare', 'pairs'],
    queryFn: () => unwrap(api.GET('/api/pairs', { params: { query: { limit: 100 } } })),
  });

export const historyQuery = (pairKey: string, limit = 30) =>
  queryOptions({
    queryKey: ['compare', 'history', pairKey, limit],
    queryFn: () =>
      unwrap(
        api.GET('/api/pairs/{pairKey}/comparisons', {
          params: { path: { pairKey }, query: { limit } },
        }),
      ),
  });

/** `pollMs` is how often it is fetched while it runs. */
export const comparisonQuery = (comparisonId: string, pollMs: number | false = false) =>
  queryOptions({
    queryKey: ['compare', 'one', comparisonId],
    async queryFn({ client, queryKey }): Promise<Comparison> {
      // A result never changes, and one with thousands of findings takes a while to fetch and compare.
      const known = client.getQueryData<Comparison>(queryKey);
      if (known && isSettled(known)) return known;
      return unwrap(api.GET('/api/compare/{comparisonId}', { params: { path: { comparisonId } } }));
    },
    refetchInterval: ({ state }) => (state.data && isSettled(state.data) ? false : pollMs),
  });

/** Returns whether nothing more will be added to it. */
export function isSettled({ status, explanationState }: Comparison): boolean {
  return status === 'failed' || (status === 'completed' && explanationState !== 'pending');
}

export const probesQuery = (comparisonId: string) =>
  queryOptions({
    queryKey: ['compare', 'probes', comparisonId],
    queryFn: () =>
      unwrap(api.GET('/api/compare/{comparisonId}/probes', { params: { path: { comparisonId } } })),
  });

export const baselineQuery = (pairKey: string) =>
  queryOptions({
    queryKey: ['compare', 'baseline', pairKey],
    queryFn: () => unwrap(api.GET('/api/pairs/{pairKey}/baseline', { params: { path: { pairKey } } })),
  });

const suitesQuery = () =>
  queryOptions({
    queryKey: ['suites', 'list'],
    queryFn: () => unwrap(api.GET('/api/suites', { params: { query: { limit: 50 } } })),
  });

/** `pollMs` is how often it is fetched while it runs. */
export const suiteQuery = (suiteId: string, pollMs: number | false) =>
  queryOptions({
    queryKey: ['suites', 'one', suiteId],
    queryFn: () => loadSuite(suiteId),
    refetchInterval: ({ state }) => (state.data && state.data.status !== 'running' ? false : pollMs),
  });

/** The comparisons that belong to a suite. Those of an ended suite are fetched once. */
const suiteMembersQuery = (suiteId: string, pollMs: number) =>
  queryOptions({
    queryKey: ['suite-members', suiteId],
    async queryFn() {
      const { status, rows } = await loadSuite(suiteId);
      return { ended: status !== 'running', ids: rows.map(({ comparisonId }) => comparisonId) };
    },
    staleTime: ({ state }) => (state.data?.ended ? Number.POSITIVE_INFINITY : 0),
    refetchInterval: ({ state }) => (state.data?.ended ? false : pollMs),
  });

/** How many of the newest suites have their comparisons looked up; the lists of pairs seldom go further back. */
const SUITES_MAX = 10;
const MEMBERS_POLL_MS = 3_000;

/** The pairs that were last compared on their own. A suite represents its comparisons; its page lists them. */
export function useSinglePairs(enabled = true) {
  const refetchInterval = usePollMs(3_000);
  const pairs = useQuery({ ...pairsQuery(), enabled, refetchInterval });
  const suites = useQuery({ ...suitesQuery(), enabled, refetchInterval });
  const newest = (suites.data?.suites ?? []).slice(0, SUITES_MAX);
  const members = useQueries({
    queries: newest.map(({ suiteId }) => suiteMembersQuery(suiteId, MEMBERS_POLL_MS)),
  });
  const ids = new Set(members.flatMap(({ data }) => data?.ids ?? []));
  const hasSuites = suites.data !== undefined || suites.error !== null;
  const isKnown = useLatch(hasSuites && members.every(({ isPending }) => !isPending));
  const single = pairs.data?.pairs.filter(({ lastComparisonId }) => !ids.has(lastComparisonId));
  const { error, refetch } = pairs;
  return { suites, pairs: { data: isKnown ? single : undefined, error, refetch } };
}

/** Loads all pages of its paths as one list. */
async function loadSuite(suiteId: string): Promise<SuiteWithPaths> {
  const page = (after?: number) =>
    unwrap(
      api.GET('/api/suites/{suiteId}', {
        params: { path: { suiteId }, query: after === undefined ? {} : { after } },
      }),
    );
  const suite = await page();
  const rows = [...suite.rows];
  while (rows.length < suite.paths) {
    const { rows: more } = await page(rows.at(-1)?.n);
    if (more.length === 0) break;
    rows.push(...more);
  }
  return { ...suite, rows };
}
