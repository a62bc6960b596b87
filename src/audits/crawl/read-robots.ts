/** Fetches and parses the robots.txt of an origin. Every response is a fact; nothing here fails. */
import { mediaTypeOf } from '../facts/fetch-facts.js';
import type { RobotsFile } from '../facts/site-facts.js';
import { isHtmlFallback } from '../html-fallback.js';
import { parseRobots, ROBOTS_BYTES_MAX } from '../robots/parse-robots.js';
import type { AuditFetcher } from './audit-fetcher.js';

/** `ungated`: for a running request that was redirected to this origin. */
export async function readRobots(
  fetcher: AuditFetcher,
  origin: string,
  ungated = false,
): Promise<RobotsFile> {
  // One byte more than is parsed shows whether the file is longer.
  const { facts, bytes } = await fetcher.fetch({
    url: `${origin}/robots.txt`,
    keep: 'any',
    bodyBytes: ROBOTS_BYTES_MAX + 1,
    ungated,
  });
  const empty = {
    origin,
    fetch: facts,
    bytes: bytes?.length ?? 0,
    groups: [],
    sitemaps: [],
    contentSignals: [],
    problems: [],
  };
  if (facts.status !== 200 || !bytes) return empty;
  const text = new TextDecoder().decode(bytes.subarray(0, ROBOTS_BYTES_MAX));
  // An HTML page instead of the file is useless to crawlers; reading it would list every line as a syntax error.
  if (isHtmlFallback(facts, text)) {
    return { ...empty, problems: [{ kind: 'not-text', line: 1, text: mediaTypeOf(facts) }] };
  }
  const parsed = parseRobots(text);
  if (bytes.length <= ROBOTS_BYTES_MAX) return { ...empty, ...parsed };
  const tooLarge = {
    kind: 'too-large',
    line: text.split('\n').length,
    text: `more than ${ROBOTS_BYTES_MAX} bytes`,
  } as const;
  return { ...empty, ...parsed, problems: [...parsed.problems, tooLarge] };
}
