/** Queries and mutations for audits. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, unwrap } from './client';
import type { Audit, AuditReport } from './types';

export const ENDED: ReadonlySet<Audit['status']> = new Set(['done', 'failed', 'canceled']);

export interface AuditFilter {
  readonly status?: Audit['status'];
  /** Only audits of this site. */
  readonly canonicalUrl?: string;
  readonly q?: string;
}

export const auditsQuery = (filter: AuditFilter = {}) =>
  infiniteQueryOptions({
    queryKey: ['audits', 'list', filter],
    queryFn: ({ pageParam }) =>
      unwrap(
        api.GET('/api/audits', {
          params: { query: { ...filter, limit: 50, ...(pageParam !== '' && { cursor: pageParam }) } },
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  });

/** `pollMs` is how often it is fetched while it runs. */
export const auditQuery = (auditId: string, pollMs: number | false) =>
  queryOptions({
    queryKey: ['audits', 'one', auditId],
    queryFn: () => unwrap(api.GET('/api/audits/{auditId}', { params: { path: { auditId } } })),
    refetchInterval: ({ state }) => (state.data && ENDED.has(state.data.status) ? false : pollMs),
  });

export const reportQuery = (auditId: string) =>
  queryOptions({
    queryKey: ['audit-report', auditId],
    async queryFn(): Promise<AuditReport> {
      const report = await unwrap(
        api.GET('/api/audits/{auditId}/report', {
          params: { path: { auditId }, query: { format: 'json' } },
        }),
      );
      // Only the other formats are text.
      return report as AuditReport;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

export const auditDiffQuery = (earlier: string, later: string) =>
  queryOptions({
    queryKey: ['audit-diff', earlier, later],
    queryFn: () =>
      unwrap(
        api.GET('/api/audits/{auditId}/diff/{other}', {
          params: { path: { auditId: earlier, other: later } },
        }),
      ),
    staleTime: Number.POSITIVE_INFINITY,
  });
