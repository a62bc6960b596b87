/** What is known of a URL that a page names, whatever its spelling and fragment. */
import { crawlUrl } from './crawl/crawl-url.js';
import type { FetchFacts } from './facts/fetch-facts.js';

export function answerOf(answers: ReadonlyMap<string, FetchFacts>, url: string): FetchFacts | undefined {
  return answers.get(crawlUrl(new URL(url)));
}
