/** The state of the server, and its demo. */
import { queryOptions } from '@tanstack/react-query';
import { ApiError, api, unwrap } from './client';
import type { Demo } from './types';

export const systemQuery = () =>
  queryOptions({
    queryKey: ['system'],
    queryFn: () => unwrap(api.GET('/api/system')),
    refetchInterval: 5_000,
  });

export const readyQuery = () =>
  queryOptions({
    queryKey: ['ready'],
    queryFn: () => unwrap(api.GET('/api/ready')),
    refetchInterval: 10_000,
  });

/** Null: this host offers no demo, or not to this credential. */
export const demoQuery = () =>
  queryOptions({
    queryKey: ['demo'],
    async queryFn(): Promise<Demo | null> {
      try {
        return await unwrap(api.GET('/api/demo'));
      } catch (error) {
        if (error instanceof ApiError && (error.status === 404 || error.status === 403)) return null;
        throw error;
      }
    },
  });
