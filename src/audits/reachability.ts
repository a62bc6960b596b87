/**
 * Distinguishes a broken target from one that could not be measured. An error status comes from the target itself. A
 * host that does not respond at all may be down, or this machine may have no DNS or no route, so it counts as broken
 * only if some other host outside the audited one responded.
 */
import type { FetchFacts } from './facts/fetch-facts.js';
import type { SiteFacts } from './facts/site-facts.js';

export type Reach =
  | { readonly state: 'works' }
  | { readonly state: 'broken' | 'not-measured'; readonly observed: string };

/** Nothing came back from the host, not even an error. */
const UNREACHED = new Set(['dns_error', 'connect_error', 'timeout']);
/** Our own refusals, which say nothing about the target. */
const REFUSALS = new Set(['ssrf_blocked', 'invalid_url', 'canceled']);

const FAULTS: Readonly<Record<string, string>> = {
  dns_error: 'the host name does not resolve',
  connect_error: 'the connection failed',
  timeout: 'no response in time',
  tls_error: 'the TLS handshake failed',
  redirect_loop: 'a redirect loop',
  redirect_limit: 'too many redirects',
  fetch_error: 'the connection was lost',
  ssrf_blocked: 'a private address; no request was sent',
};

/** Describes a response: `status 404`, or why there is none. */
export function describeResponse({ status, error }: Pick<FetchFacts, 'status' | 'error'>): string {
  if (status !== null) return `status ${status}`;
  return FAULTS[error?.code ?? ''] ?? `no response (${error?.code ?? 'unknown'})`;
}

export function isUnreached({ status, error }: Pick<FetchFacts, 'status' | 'error'>): boolean {
  return status === null && UNREACHED.has(error?.code ?? '');
}

export class Reachability {
  readonly #homeHost: string;
  readonly #networkWorks: boolean;

  constructor({ responses, origin }: Pick<SiteFacts, 'responses' | 'origin'>) {
    this.#homeHost = new URL(origin).host;
    this.#networkWorks = [...responses.values()].some(
      (fetch) => !this.#isHome(fetch) && !isUnreached(fetch) && !REFUSALS.has(fetch.error?.code ?? ''),
    );
  }

  judge(fetch: FetchFacts, isBrokenStatus: (status: number) => boolean): Reach {
    const { status, error } = fetch;
    if (status !== null && !isBrokenStatus(status)) return { state: 'works' };
    const observed = describeResponse(fetch);
    const ours = REFUSALS.has(error?.code ?? '');
    const unknown = isUnreached(fetch) && !this.#networkWorks && !this.#isHome(fetch);
    return { state: ours || unknown ? 'not-measured' : 'broken', observed };
  }

  #isHome({ finalUrl }: FetchFacts): boolean {
    return new URL(finalUrl).host === this.#homeHost;
  }
}

/** For pages of the audited site, as its visitors see them. 401 and 429 only ask for a login or a retry. */
export function isBrokenInternally(status: number): boolean {
  return status >= 400 && status !== 401 && status !== 429;
}

/** Another site may treat programs differently from its visitors, so only clear statuses count. */
export function isBrokenExternally(status: number): boolean {
  return status === 404 || status === 410 || (status >= 500 && status < 600 && status !== 503);
}

export type Nouns = readonly [one: string, several: string];

/** "12 links on 3 hosts could not be measured: no host outside the site responded, or the address is blocked". */
export function unmeasuredNote([one, several]: Nouns, urls: readonly string[]): string {
  const what = urls.length === 1 ? one : several;
  const hosts = new Set(urls.map((url) => new URL(url).host));
  return `${urls.length} ${what} on ${hosts.size} ${hosts.size === 1 ? 'host' : 'hosts'} could not be measured: no host outside the site responded, or the address is blocked`;
}
