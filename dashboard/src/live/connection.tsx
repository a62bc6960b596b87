/**
 * Connects the feed with the queries: what changed is refetched, in batches. Also tracks whether the server can be
 * reached.
 */
import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { onContact } from '../api/client';
import { useSession } from '../api/session';
import type { Change } from '../api/types';
import { type FeedState, followFeed } from './feed';

const BATCH_MS = 200;

/** The first part of the query keys that a change makes stale. */
const QUERIES_OF_JOBS: Readonly<Record<JobChange['jobKind'], readonly string[]>> = {
  audit: ['audits'],
  compare: ['compare'],
  suite: ['suites', 'compare'],
  hello: [],
};

type JobChange = Extract<Change, { kind: 'job' }>;

function queriesOf(change: Change): readonly string[] {
  return change.kind === 'job' ? QUERIES_OF_JOBS[change.jobKind] : ['streams'];
}

interface Connection {
  readonly feed: FeedState;
  readonly reached: boolean;
  /** Calls the listener on each change; returns a function that unsubscribes. */
  subscribe(listener: (change: Change) => void): () => void;
}

const ConnectionContext = createContext<Connection>({
  feed: 'connecting',
  reached: true,
  subscribe: () => () => {},
});

export function useConnection(): Connection {
  return useContext(ConnectionContext);
}

/** Returns how often to poll a list: never while the feed is live. */
export function usePollMs(ms: number): number | false {
  return useConnection().feed === 'live' ? false : ms;
}

export function ConnectionProvider({ children }: { children: ReactNode }) {
  const [feed, setFeed] = useState<FeedState>('connecting');
  const [reached, setReached] = useState(true);
  const listeners = useRef(new Set<(change: Change) => void>());
  const tenant = useSession()?.tenant;
  const invalidate = useBatchedInvalidation();
  const queries = useQueryClient();

  useEffect(() => onContact(setReached), []);
  useEffect(() => {
    if (tenant === undefined || tenant === null) return;
    return followFeed(tenant, {
      onState: setFeed,
      onReset: () => void queries.invalidateQueries(),
      onChange(change) {
        invalidate(queriesOf(change));
        for (const listener of listeners.current) listener(change);
      },
    });
  }, [tenant, invalidate, queries]);

  const value = useMemo<Connection>(
    () => ({
      feed,
      reached,
      subscribe(listener) {
        listeners.current.add(listener);
        return () => listeners.current.delete(listener);
      },
    }),
    [feed, reached],
  );
  return <ConnectionContext value={value}>{children}</ConnectionContext>;
}

function useBatchedInvalidation(): (names: readonly string[]) => void {
  const queries = useQueryClient();
  const waiting = useRef(new Set<string>());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  return useMemo(
    () => (names) => {
      for (const name of names) waiting.current.add(name);
      timer.current ??= setTimeout(() => {
        timer.current = undefined;
        const batch = [...waiting.current];
        waiting.current.clear();
        for (const name of batch) void queries.invalidateQueries({ queryKey: [name] });
      }, BATCH_MS);
    },
    [queries],
  );
}
