/** Who is logged in, and what the credential allows. */
import { useQuery } from '@tanstack/react-query';
import { ApiError, api, unwrap } from './client';
import type { Scope, Session } from './types';

export const SESSION_KEY = ['session'] as const;

/** Returns null if nobody is logged in. */
export async function loadSession(): Promise<Session | null> {
  try {
    return await unwrap(api.GET('/api/session'));
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}

export function useSession(): Session | null | undefined {
  return useQuery({ queryKey: SESSION_KEY, queryFn: loadSession, staleTime: 60_000 }).data;
}

/** Returns whether the credential includes the scope; `admin` includes all scopes except `operator`. */
export function useScope(scope: Scope): boolean {
  const session = useSession();
  return session ? includesScope(session.scopes, scope) : false;
}

function includesScope(granted: readonly string[], scope: Scope): boolean {
  return granted.includes(scope) || (scope !== 'operator' && granted.includes('admin'));
}
