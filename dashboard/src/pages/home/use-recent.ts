/** The latest work of every kind that the credential may read, in one list. */
import { useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query';
import { auditsQuery } from '../../api/audits';
import { historyQuery, pairsQuery, suiteMembersQuery, suitesQuery } from '../../api/compare';
import { useScope } from '../../api/session';
import { streamsQuery } from '../../api/streams';
import type { Pair, Suite } from '../../api/types';
import { usePollMs } from '../../live/connection';

export interface RecentItem {
  readonly key: string;
  readonly kind: 'comparison' | 'suite' | 'audit' | 'response' | 'stream';
  readonly id: string;
  readonly text: string;
  /** A word that `Status` knows. */
  readonly status: string;
  readonly at: string;
}

export interface Recent {
  readonly items: readonly RecentItem[];
  readonly loaded: boolean;
  readonly error: unknown;
}

export function useRecent(): Recent {
  const mayCompare = useScope('compare:read');
  const mayAudit = useScope('audit:read');
  const mayRead = useScope('stream:read');
  const mayProxy = useScope('proxy:read');
  const refetchInterval = usePollMs(3_000);
  const pairs = useQuery({ ...pairsQuery(), enabled: mayCompare, refetchInterval });
  const suites = useQuery({ ...suitesQuery(), enabled: mayCompare, refetchInterval });
  const audits = useInfiniteQuery({ ...auditsQuery(), enabled: mayAudit, refetchInterval });
  const streams = useInfiniteQuery({ ...streamsQuery({}), enabled: mayRead || mayProxy, refetchInterval });
  const members = useSuiteMembers(suites.data?.suites ?? []);
  // A suite stands for its comparisons; they are listed on its own page.
  const single = (pairs.data?.pairs ?? []).filter(
    ({ lastComparisonId }) => !members.ids.has(lastComparisonId),
  );
  const verdicts = useVerdicts(single);
  const items: RecentItem[] = [
    ...single.map((pair) => ({
      key: `pair ${pair.pairKey}`,
      kind: 'comparison' as const,
      id: pair.lastComparisonId,
      text: `${short(pair.leftUrl)} against ${short(pair.rightUrl)}`,
      status: verdicts.get(pair.pairKey) ?? pair.lastStatus,
      at: pair.lastAt,
    })),
    ...(suites.data?.suites ?? []).map((suite) => ({
      key: `suite ${suite.suiteId}`,
      kind: 'suite' as const,
      id: suite.suiteId,
      text: `${short(suite.leftUrl)} against ${short(suite.rightUrl)}, ${suite.paths} paths`,
      status: suite.verdict ?? suite.status,
      at: suite.createdAt,
    })),
    ...(audits.data?.pages[0]?.audits ?? []).map((audit) => ({
      key: `audit ${audit.auditId}`,
      kind: 'audit' as const,
      id: audit.auditId,
      text: audit.score === null ? short(audit.url) : `${short(audit.url)}, score ${audit.score}`,
      status: audit.status,
      at: audit.createdAt,
    })),
    ...(streams.data?.pages[0]?.streams ?? []).map((entry) => ({
      key: `${entry.kind} ${entry.id}`,
      kind: entry.kind,
      id: entry.id,
      text: entry.kind === 'stream' ? entry.id : short(entry.upstreamUrl ?? entry.id),
      status: entry.kind === 'response' ? (entry.outcome ?? entry.state) : entry.state,
      at: entry.lastAppendAt ?? entry.createdAt,
    })),
  ].sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
  const asked = [
    mayCompare && pairs,
    mayCompare && suites,
    mayAudit && audits,
    (mayRead || mayProxy) && streams,
  ].filter((query) => query !== false);
  return {
    items,
    loaded: members.loaded && asked.every(({ data, error }) => data !== undefined || error !== null),
    error: asked.find(({ error, data }) => error !== null && data === undefined)?.error ?? null,
  };
}

/** Suites whose comparisons are looked up; older ones are further down than the panels reach. */
const SUITES_MAX = 5;

function useSuiteMembers(suites: readonly Suite[]): {
  readonly ids: ReadonlySet<string>;
  readonly loaded: boolean;
} {
  const found = useQueries({ queries: suites.slice(0, SUITES_MAX).map(suiteMembersQuery) });
  return {
    ids: new Set(found.flatMap(({ data }) => data ?? [])),
    loaded: found.every(({ isPending }) => !isPending),
  };
}

/** Pairs whose last verdict is fetched; the others show that they completed. */
const VERDICTS_MAX = 10;

function useVerdicts(pairs: readonly Pair[]): ReadonlyMap<string, string | null> {
  const first = pairs.slice(0, VERDICTS_MAX);
  const histories = useQueries({ queries: first.map(({ pairKey }) => historyQuery(pairKey, 1)) });
  return new Map(
    first.map(({ pairKey }, at) => [pairKey, histories[at]?.data?.comparisons[0]?.verdict ?? null]),
  );
}

function short(url: string): string {
  return url.replace(/^https?:\/\//, '').replace(/\/$/, '');
}
