/**
 * The only access to the server: a client typed from its OpenAPI document. A token that was pasted at login stays in
 * memory only and is sent as a bearer token; otherwise the browser sends the session cookie.
 */
import createClient from 'openapi-fetch';
import type { paths } from './schema';

export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(status: number, error: { code?: string; message?: string } & Record<string, unknown>) {
    super(error.message ?? `The server responded with status ${status}.`);
    this.name = 'ApiError';
    this.status = status;
    this.code = error.code ?? 'UNKNOWN';
    this.details = error;
  }
}

/** There was no response: the server has stopped, or the network is down. */
export class OfflineError extends Error {
  constructor(cause: unknown) {
    super('The server cannot be reached.', { cause });
    this.name = 'OfflineError';
  }
}

let token: string | undefined;
const contactListeners = new Set<(reached: boolean) => void>();

export function setToken(next: string | undefined): void {
  token = next;
}

export function hasToken(): boolean {
  return token !== undefined;
}

/** Calls the listener after each request with whether the server was reached. */
export function onContact(listener: (reached: boolean) => void): () => void {
  contactListeners.add(listener);
  return () => contactListeners.delete(listener);
}

/** `fetch` with the credential of this tab. */
export async function send(input: string | Request, init: RequestInit = {}): Promise<Response> {
  const request = new Request(input, init);
  if (token !== undefined) request.headers.set('Authorization', `Bearer ${token}`);
  try {
    const response = await fetch(request);
    for (const listener of contactListeners) listener(true);
    return response;
  } catch (thrown) {
    if (request.signal.aborted) throw thrown;
    for (const listener of contactListeners) listener(false);
    throw new OfflineError(thrown);
  }
}

export const api = createClient<paths>({ baseUrl: location.origin, fetch: send });

interface Result<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

/** Returns the body of a successful response and throws everything else. */
export async function unwrap<T>(call: Promise<Result<T>>): Promise<T> {
  const { data, error, response } = await call;
  if (response.ok) return data as T;
  throw asApiError(response.status, error);
}

export async function errorOf(response: Response): Promise<ApiError> {
  const text = await response.text().catch(() => '');
  return asApiError(response.status, parseOrUndefined(text));
}

function asApiError(status: number, body: unknown): ApiError {
  const { error } = (body ?? {}) as { error?: Record<string, unknown> };
  return new ApiError(status, error ?? {});
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
