/** Queries for streams and recorded responses. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, unwrap } from './client';
import type { ResponseEntry, StreamTiming } from './types';

export interface StreamFilter {
  readonly kind?: 'stream' | 'response';
  readonly state?: 'open' | 'closed';
  readonly outcome?: 'completed' | 'aborted' | 'timeout' | 'failed';
  readonly status?: '2xx' | '4xx' | '5xx' | 'none';
  readonly q?: string;
}

export const streamsQuery = (filter: StreamFilter) =>
  infiniteQueryOptions({
    queryKey: ['streams', 'list', filter],
    queryFn: ({ pageParam }) =>
      unwrap(
        api.GET('/api/streams', {
          params: { query: { ...filter, limit: 50, ...(pageParam !== '' && { cursor: pageParam }) } },
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  });

/** The entry of one recorded response. */
export const responseQuery = (id: string) =>
  queryOptions({
    queryKey: ['streams', 'response', id],
    async queryFn(): Promise<ResponseEntry | null> {
      const { streams } = await unwrap(
        api.GET('/api/streams', { params: { query: { kind: 'response', q: id, limit: 1 } } }),
      );
      return streams.filter((entry) => entry.kind === 'response').find((entry) => entry.id === id) ?? null;
    },
  });

/** Every call to the upstream that was made for a response, in order. */
export const attemptsQuery = (id: string) =>
  queryOptions({
    queryKey: ['streams', 'attempts', id],
    queryFn: () => unwrap(api.GET('/api/streams/attempts', { params: { query: { response: id } } })),
  });

const TIMING_PAGES_MAX = 20;

/** The arrival of every stored record, up to a hundred thousand of them. */
export const timingQuery = (of: { stream: string } | { response: string }, ended: boolean) =>
  queryOptions({
    queryKey: ['streams', 'timing', of, ended],
    async queryFn(): Promise<StreamTiming> {
      const page = (from?: string) =>
        unwrap(
          api.GET('/api/streams/timing', {
            params: { query: { ...of, limit: 5_000, ...(from !== undefined && { from }) } },
          }),
        );
      let last = await page();
      const records = [...last.records];
      for (let pages = 1; last.next !== null && pages < TIMING_PAGES_MAX; pages += 1) {
        last = await page(last.next);
        if (last.records.length === 0) break;
        records.push(...last.records);
      }
      // The client's types lose that a record is a triple.
      return { ...last, bytesBefore: 0, records: records as StreamTiming['records'] };
    },
  });
