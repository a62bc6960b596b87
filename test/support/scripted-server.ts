/** A Sonde server that responds as a test specifies, without a network, for the client's own tests. */
import { type DurableFetchOptions, durableFetch, type Timing } from '../../packages/client/src/index.js';

export const ENDPOINT = 'https://sonde.example.com/v1/proxy';

/** Longer than any wait between retries, so that waits and silence timers can be distinguished. */
const STALL_MS = 1_000_000;

interface Call {
  /** Relative to the endpoint. */
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
}

export type Reply = (init: RequestInit) => Response | Promise<Response>;

export interface ScriptedServer {
  readonly calls: Call[];
  /** Milliseconds between retries; the tests never wait for them. */
  readonly waits: number[];
  readonly timing: Timing & { ms: number };
  readonly options: DurableFetchOptions;
  open(options?: Partial<DurableFetchOptions>): ReturnType<typeof durableFetch>;
}

/** Calls get the replies in order; one call too many fails. */
export function scriptedServer(...replies: readonly Reply[]): ScriptedServer {
  const left = [...replies];
  const calls: Call[] = [];
  const waits: number[] = [];
  const timing = {
    ms: 0,
    after(ms: number, act: () => void) {
      if (ms >= STALL_MS) return () => undefined;
      waits.push(ms);
      let isOff = false;
      queueMicrotask(() => {
        timing.ms += ms;
        if (!isOff) act();
      });
      return () => {
        isOff = true;
      };
    },
    now: () => timing.ms,
    random: () => 1,
  };
  const options: DurableFetchOptions = {
    proxy: new URL(ENDPOINT).origin,
    stallMs: STALL_MS,
    timing,
    async fetch(url, init) {
      const headers = Object.fromEntries(new Headers(init.headers));
      calls.push({ path: url.replace(ENDPOINT, ''), method: init.method ?? 'GET', headers });
      const reply = left.shift();
      if (!reply) throw new TypeError('fetch failed');
      return reply(init);
    },
  };
  return { calls, waits, timing, options, open: (more = {}) => durableFetch({ ...options, ...more }) };
}

const pairs = (headers: readonly (readonly [string, string])[]) =>
  Buffer.from(JSON.stringify(headers)).toString('base64url');

const HEAD = { 'upstream-status': '200', 'upstream-headers': pairs([['content-type', 'text/plain']]) };

/** Returns the response to a create. */
export const created = (more: Readonly<Record<string, string>> = {}): Reply => {
  const location = 'https://inside.example.com/v1/proxy/one?sig=s';
  return () => new Response(null, { status: 201, headers: { ...HEAD, location, ...more } });
};

/** Returns one read of the body; `more` describes the stream after it. */
export const piece = (text: string, more: Readonly<Record<string, string>> = {}): Reply => {
  return () => new Response(text === '' ? null : text, { headers: { ...HEAD, ...more } });
};

/** Returns the read that ends the body. */
export const last = (text: string, more: Readonly<Record<string, string>> = {}): Reply =>
  piece(text, { 'stream-closed': 'true', 'upstream-outcome': 'completed', ...more });

export const refused = (
  status: number,
  code: string,
  headers: Readonly<Record<string, string>> = {},
): Reply => {
  return () => new Response(JSON.stringify({ error: { code, message: 'why' } }), { status, headers });
};

export const down: Reply = () => Promise.reject(new TypeError('fetch failed'));
