/** Checks whether a URL works: HEAD first, then GET if HEAD is rejected or reports an error. No body is read. */
import type { FetchFacts } from '../facts/fetch-facts.js';
import type { AuditFetcher } from './audit-fetcher.js';

/** Shorter than for pages of the site: a slow link is not worth waiting for. */
const CHECK_MS = 15_000;

export async function checkTarget(fetcher: AuditFetcher, url: string): Promise<FetchFacts> {
  const request = { url, keep: 'none', tries: 1, totalMs: CHECK_MS } as const;
  const { facts: head } = await fetcher.fetch({ ...request, method: 'HEAD' });
  // A broken connection may be caused by HEAD. A host that does not respond is requested only once.
  if (head.status === null ? head.error?.code !== 'fetch_error' : head.status < 400) return head;
  const { facts: get } = await fetcher.fetch({ ...request, method: 'GET', tries: 2 });
  return { ...get, attempts: get.attempts + head.attempts };
}
