/** The latest work of every kind that the credential can read, in one list. */
import { useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query';
import { auditsQuery } from '../../api/audits';
import { historyQuery, pairsQuery, suitesQuery } from '../../api/compare';
import { useScope } from '../../api/session';
import { streamsQuery } from '../../api/streams';
import type { Pair } from '../../api/types';
import { usePollMs } from '../../live/connection';
import { responseState } from '../../ui/mark';
import { useLatch } from '../../use-latch';

export interface RecentItem {
  readonly key: string;
  readonly kind: 'comparison' | 'suite' | 'audit' | 'response' | 'stream';
  readonly id: string;
  readonly text: string;
  /** A name that `Status` supports. */
  readonly status: string;
  readonly at: string;
}

export interface Recent {
  readonly items: readonly RecentItem[];
  /** True once everything was loaded; later additions do not reset it. */
  readonly loaded: boolean;
  readonly error: unknown;
}

export function useRecent(): Recent {
  const mayCompare = useScope('compare:read');
  const mayAudit = useScope('audit:read');
  const mayRead = useScope('stream:read');
  const mayProxy = useScope('proxy:read');
  const refetchInterval = usePollMs(3_000);
  const pairs = useInfiniteQuery({ ...pairsQuery(), enabled: mayCompare, refetchInterval });
  const suites = useQuery({ ...suitesQuery(), enabled: mayCompare, refetchInterval });
  const audits = useInfiniteQuery({ ...auditsQuery(), enabled: mayAudit, refetchInterval });
  const streams = useInfiniteQuery({ ...streamsQuery({}), enabled: mayRead || mayProxy, refetchInterval });
  const single = pairs.data?.pages[0]?.pairs ?? [];
  const verdicts = useVerdicts(single);
  const items: RecentItem[] = [
    ...single.map((pair) => ({
      key: `pair ${pair.pairKey}`,
      kind: 'comparison' as const,
      id: pair.lastComparisonId,
      text: `${short(pair.leftUrl)} against ${short(pair.rightUrl)}`,
      status: verdicts.of.get(pair.pairKey) ?? pair.lastStatus,
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
      status: entry.kind === 'response' ? responseState(entry) : entry.state,
      at: entry.lastAppendAt ?? entry.createdAt,
    })),
  ].sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
  const asked = [
    mayCompare && pairs,
    mayCompare && suites,
    mayAudit && audits,
    (mayRead || mayProxy) && streams,
  ].filter((query) => query !== false);
  const isReady = verdicts.loaded && asked.every(({ data, error }) => data !== undefined || error !== null);
  return {
    items,
    loaded: useLatch(isReady),
    error: asked.find(({ error, data }) => error !== null && data === undefined)?.error ?? null,
  };
}

/** How many pairs have their last verdict fetched; the others only show that they completed. */
const VERDICTS_MAX = 10;

interface Verdicts {
  readonly of: ReadonlyMap<string, string | null>;
  readonly loaded: boolean;
}

function useVerdicts(pairs: readonly Pair[]): Verdicts {
  const first = pairs.slice(0, VERDICTS_MAX);
  const histories = useQueries({ queries: first.map(({ pairKey }) => historyQuery(pairKey, 1)) });
  return {
    of: new Map(
      first.map(({ pairKey }, at) => [pairKey, histories[at]?.data?.comparisons[0]?.verdict ?? null]),
    ),
    loaded: histories.every(({ isPending }) => !isPending),
  };
}

function short(url: string): string {
  return url.replace(/^https?:\/\//, '').replace(/\/$/, '');
}
