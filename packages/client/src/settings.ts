/** The options of `durableFetch`, and the settings with their defaults applied. */
import { type RetrySettings, systemTiming, type Timing } from './retry.js';
import type { DurableStorage } from './saved-request.js';
import type { CallSettings } from './server-call.js';

type Fetch = CallSettings['fetch'];

export interface DurableFetchOptions {
  /** URL of the Sonde server, such as `https://sonde.example.com`. */
  readonly proxy: string | URL;
  /** A service token with the scope `proxy:create`, or a function called for each request. Never sent in a URL. */
  readonly token?: string | (() => string | Promise<string>) | undefined;
  /**
   * What happens when the signal is aborted or the body is cancelled: `detach` (the default) lets the upstream
   * continue, and its response can still be read; `cancel` stops it.
   */
  readonly onAbort?: 'detach' | 'cancel' | undefined;
  /** With `requestId`: where to store the progress of a request, so that it can be resumed after a reload. */
  readonly storage?: DurableStorage | undefined;
  /** Names a request for resuming. A request with the same name but another method, URL or body starts over. */
  readonly requestId?:
    | string
    | ((request: { readonly url: string; readonly method: string }) => string | undefined)
    | undefined;
  /** Where the body of a resumed request begins: after the last byte read (the default), or at its start. */
  readonly resumeFrom?: 'last' | 'start' | undefined;
  /** What the server does with a response without readers, such as `cancel-after=30s`. */
  readonly orphanPolicy?: string | undefined;
  /** Retries of a create without progress before it gives up, at most 2 s apart; reads get three times as many. */
  readonly retries?: number | undefined;
  /** How long a connection may be silent before it counts as dead. The server sends something at least every 20 s. */
  readonly stallMs?: number | undefined;
  /** Replaces the platform's `fetch`, which is otherwise taken now, so that the result can replace it. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  readonly timing?: Timing | undefined;
}

export interface ClientSettings extends CallSettings, RetrySettings {
  readonly token: () => string | undefined | Promise<string | undefined>;
  readonly onAbort: 'detach' | 'cancel';
  readonly stallMs: number;
  readonly orphanPolicy: string | undefined;
}

const RETRIES = 15;
const STALL_MS = 30_000;

export function readSettings(options: DurableFetchOptions): ClientSettings {
  const { proxy, token, onAbort = 'detach', orphanPolicy, retries = RETRIES, stallMs = STALL_MS } = options;
  return {
    endpoint: `${new URL(proxy).href.replace(/\/+$/, '')}/v1/proxy`,
    token: () => (typeof token === 'function' ? token() : token),
    onAbort,
    orphanPolicy,
    retries,
    stallMs,
    timing: options.timing ?? systemTiming,
    fetch: options.fetch ?? platformFetch(),
  };
}

/**
 * The platform's `fetch` as it is now, since the result may replace it. If it was already replaced by a `durableFetch`,
 * what that one sends with.
 */
export function platformFetch(): Fetch {
  const { fetch } = globalThis as { fetch: Fetch & { readonly sendsWith?: Fetch } };
  // A browser's fetch cannot be called as a method of another object.
  return fetch.sendsWith ?? ((url, init) => fetch(url, init));
}
