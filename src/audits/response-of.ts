/** Finds the known response of a URL, whatever its spelling and fragment. */
import { crawlUrl } from './crawl/crawl-url.js';
import type { FetchFacts } from './facts/fetch-facts.js';

export function responseOf(responses: ReadonlyMap<string, FetchFacts>, url: string): FetchFacts | undefined {
  // Most URLs are already in the spelling of the crawl.
  return responses.get(url) ?? responses.get(crawlUrl(new URL(url)));
}
