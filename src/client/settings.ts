/** The options of `durableFetch`, and the settings that are made from them. */
import { type RetrySettings, systemTiming, type Timing } from './retry.js';
import type { DurableStorage } from './saved-request.js';
import type { CallSettings } from './server-call.js';

export interface DurableFetchOptions {
  /** Where the Sonde server is, such as `https://sonde.example.com`. */
  readonly proxy: string | URL;
  /** A service token with the scope `proxy:create`; a function is called for each request. It is never part of a URL. */
  readonly token?: string | (() => string | Promise<string>) | undefined;
  /**
   * What aborting the signal or cancelling the body means: `detach` (the default) leaves the upstream running, and
   * its response can still be read; `cancel` stops it.
   */
  readonly onAbort?: 'detach' | 'cancel' | undefined;
  /** With `requestId`: where to keep the progress of a request, so that it is resumed after a reload. */
  readonly storage?: DurableStorage | undefined;
  /** Names a request. A new request under the same name, with another method, URL or body, is a new one. */
  readonly requestId?:
    | string
    | ((request: { readonly url: string; readonly method: string }) => string | undefined)
    | undefined;
  /** Where the body of a resumed request begins: after what was read before (the default), or at its start. */
  readonly resumeFrom?: 'last' | 'start' | undefined;
  /** What the server does with a response without readers, such as `cancel-after=30s`. */
  readonly orphanPolicy?: string | undefined;
  /** Retries of a create without progress before it gives up, at most 2 s apart; reads get three times as many. */
  readonly retries?: number | undefined;
  /** How long a connection may be silent before it is taken for dead. The server itself sends something every 20 s. */
  readonly stallMs?: number | undefined;
  /** Instead of the platform's own. */
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
    // A browser's fetch refuses to be called as a method of another object.
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
  };
}
