/** Queries and mutations for comparisons, pairs, suites and baselines. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, unwrap } from './client';
import type { Comparison, SuiteWithPaths } from './types';

/** Pairs that were compared on their own. A suite represents its comparisons; its page lists them. */
export const pairsQuery = (filter: { readonly q?: string } = {}) =>
  infiniteQueryOptions({
    queryKey: ['compare', 'pairs', filter],
    queryFn: ({ pageParam }) =>
      unwrap(
        api.GET('/api/pairs', {
          params: {
            query: { ...filter, own: 'true', limit: 50, ...(pageParam !== '' && { cursor: pageParam }) },
          },
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
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

export const suitesQuery = () =>
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
