/**
 * Makes the public suite of the protocol independent of how busy the machine is. It lets streams live for one to four
 * seconds and leaves half a second to spare: in its tests of lifetimes, a second takes four, both of a lifetime that a
 * request asks for and of a wait. It waits two to five seconds for what a server is to send: elsewhere, ten times as
 * long, because that only ends what hangs.
 */
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest';

const LIFETIME_SUITES = ['TTL Expiration Behavior', 'Fork - TTL and Expiry'];
const LIFETIME_FACTOR = 4;
const LIMIT_MIN_MS = 2_000;
const LIMIT_FACTOR = 10;
/** Longer times are never waited for. */
const LONGEST_MS = 10_000;

export function stretchTimes(): void {
  const { fetch: plainFetch, setTimeout: plainSetTimeout } = globalThis;
  /** Running tests of lifetimes; they run at the same time as each other, but not as others. */
  let lifetimes = 0;
  const stretched = (ms: number) => {
    if (ms >= LONGEST_MS) return ms;
    if (lifetimes > 0) return ms * LIFETIME_FACTOR;
    return ms >= LIMIT_MIN_MS ? ms * LIMIT_FACTOR : ms;
  };
  const isAboutLifetimes = (suite: string | undefined) =>
    suite !== undefined && LIFETIME_SUITES.includes(suite);

  beforeAll(() => {
    // The server and its client set timers too: all that they pass must reach the real one.
    const stretchedSetTimeout = new Proxy(plainSetTimeout, {
      apply: (setTimer, self, [act, ms = 0, ...values]: [() => void, number?, ...unknown[]]) =>
        Reflect.apply(setTimer, self, [act, stretched(ms), ...values]),
    });
    vi.stubGlobal('setTimeout', stretchedSetTimeout);
    vi.stubGlobal('fetch', (url: string, init: RequestInit = {}) =>
      plainFetch(url, lifetimes === 0 ? init : { ...init, headers: stretchedHeaders(init.headers) }),
    );
  });
  afterAll(() => {
    vi.unstubAllGlobals();
  });
  beforeEach(({ task }) => {
    if (isAboutLifetimes(task.suite?.name)) lifetimes++;
  });
  afterEach(({ task }) => {
    if (isAboutLifetimes(task.suite?.name)) lifetimes--;
  });
}

function stretchedHeaders(given: RequestInit['headers']): Headers {
  const headers = new Headers(given);
  const seconds = Number(headers.get('stream-ttl'));
  if (seconds > 0 && seconds * 1_000 < LONGEST_MS) {
    headers.set('stream-ttl', String(seconds * LIFETIME_FACTOR));
  }
  const leftMs = Date.parse(headers.get('stream-expires-at') ?? '') - Date.now();
  if (leftMs < LONGEST_MS) {
    headers.set('stream-expires-at', new Date(Date.now() + leftMs * LIFETIME_FACTOR).toISOString());
  }
  return headers;
}
