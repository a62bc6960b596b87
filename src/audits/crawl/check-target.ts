/** Asks whether a URL answers: HEAD first, GET where HEAD is refused, fails or says that it is broken. No body is read. */
import type { FetchFacts } from '../facts/fetch-facts.js';
import type { AuditFetcher } from './audit-fetcher.js';

/** A link to a slow place is not waited for as long as a page of the site. */
const CHECK_MS = 15_000;

export async function checkTarget(fetcher: AuditFetcher, url: string): Promise<FetchFacts> {
  const ask = { url, keep: 'none', tries: 1, totalMs: CHECK_MS } as const;
  const { facts: head } = await fetcher.fetch({ ...ask, method: 'HEAD' });
  // A refusal of the door or a loop would be the same again.
  if (head.status === null ? !isPassing(head) : head.status < 400) return head;
  const { facts: got } = await fetcher.fetch({ ...ask, method: 'GET', tries: 2 });
  return { ...got, attempts: got.attempts + head.attempts };
}

function isPassing({ error }: FetchFacts): boolean {
  return (
    error?.code === 'timeout' ||
    error?.code === 'connect_error' ||
    error?.code === 'fetch_error' ||
    error?.code === 'dns_error'
  );
}
