/** Whether a URL works: HEAD first, GET where HEAD is refused or reports an error. No body is read. */
import type { FetchFacts } from '../facts/fetch-facts.js';
import type { AuditFetcher } from './audit-fetcher.js';

/** A link to a slow place is not waited for as long as a page of the site. */
const CHECK_MS = 15_000;

export async function checkTarget(fetcher: AuditFetcher, url: string): Promise<FetchFacts> {
  const ask = { url, keep: 'none', tries: 1, totalMs: CHECK_MS } as const;
  const { facts: head } = await fetcher.fetch({ ...ask, method: 'HEAD' });
  // Only a broken connection may be HEAD's fault; a host that does not respond is requested once.
  if (head.status === null ? head.error?.code !== 'fetch_error' : head.status < 400) return head;
  const { facts: got } = await fetcher.fetch({ ...ask, method: 'GET', tries: 2 });
  return { ...got, attempts: got.attempts + head.attempts };
}
