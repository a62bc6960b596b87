/** The state of the server, and its demo. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { ApiError, api, unwrap } from './client';
import { useScope, useSession } from './session';
import type { Demo } from './types';

export const systemQuery = () =>
  queryOptions({
    queryKey: ['system'],
    queryFn: () => unwrap(api.GET('/api/system')),
    refetchInterval: 5_000,
  });

/** The server reports a damaged stream by its id alone. */
export function attentionText(item: string): string {
  return /^(stream|proxy)\//.test(item) ? `${item} is damaged and can be read only up to the damage` : item;
}

export const readyQuery = () =>
  queryOptions({
    queryKey: ['ready'],
    queryFn: () => unwrap(api.GET('/api/ready')),
    refetchInterval: 10_000,
  });

/** Null if this host offers no demo. */
export const demoQuery = () =>
  queryOptions({
    queryKey: ['demo'],
    async queryFn(): Promise<Demo | null> {
      try {
        return await unwrap(api.GET('/api/demo'));
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }
    },
  });

/** Only administrators of this tenant can use the demo, so other sessions do not query it. */
const DEMO_TENANT = 'default';

/** Null if there is none, undefined while it is unknown. */
export function useDemo(): Demo | null | undefined {
  const isAdmin = useScope('admin');
  const enabled = useSession()?.tenant === DEMO_TENANT && isAdmin;
  const { data, isError } = useQuery({ ...demoQuery(), enabled });
  return enabled && !isError ? data : null;
}
