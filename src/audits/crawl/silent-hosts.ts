/**
 * Requests an unresponsive host only once per audit, however many links lead to it. The first request to an unknown
 * host runs alone; the others wait for its result.
 */
import type { FetchFacts } from '../facts/fetch-facts.js';
import { isUnreached } from '../reachability.js';

export class SilentHosts {
  readonly #silent = new Map<string, FetchFacts>();
  readonly #responding = new Set<string>();
  readonly #firsts = new Map<string, Promise<unknown>>();

  /** Records the result. A host that responded once is always requested again. */
  note(fetch: FetchFacts): void {
    const { host } = new URL(fetch.url);
    if (!isUnreached(fetch)) this.#responding.add(host);
    else if (!this.#responding.has(host)) this.#silent.set(host, fetch);
  }

  async check(url: string, request: () => Promise<FetchFacts>): Promise<FetchFacts> {
    const { host } = new URL(url);
    for (let first = this.#firsts.get(host); first; first = this.#firsts.get(host))
      await first.catch(() => {});
    if (this.#responding.has(host)) return request();
    const silent = this.#silent.get(host);
    if (silent) return { ...silent, url, finalUrl: url, redirects: [], attempts: 0 };
    const first = request().finally(() => this.#firsts.delete(host));
    this.#firsts.set(host, first);
    const facts = await first;
    this.note(facts);
    return facts;
  }
}
