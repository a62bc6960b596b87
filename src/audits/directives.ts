/** What a page tells search engines in its robots metas and `X-Robots-Tag` headers, each directive with its place. */
import { type FetchFacts, headersOf } from './facts/fetch-facts.js';
import type { DocumentFacts, PageFacts } from './facts/page-facts.js';

export interface Directive {
  /** In lower case, with its value: `noindex`, `max-snippet:0`. */
  readonly name: string;
  /** `robots` for all agents, else the agent in lower case. */
  readonly agent: string;
  readonly from: 'meta' | 'header';
  readonly line: number | null;
  /** The meta's content or the header's value. */
  readonly text: string;
}

/** Agents of search engines; a directive for another crawler does not affect search results. */
const SEARCH_AGENTS = new Set(['robots', 'googlebot', 'bingbot']);

/** Directives whose value may contain a comma or a colon. */
const DATED = /^unavailable_after\s*:/i;

export function directivesOf(
  fetch: Pick<FetchFacts, 'headers'>,
  document: Pick<DocumentFacts, 'metas'> | null,
): Directive[] {
  return [
    ...headersOf(fetch, 'x-robots-tag').flatMap(headerDirectives),
    ...(document?.metas ?? []).flatMap(metaDirectives),
  ];
}

/** The directive that keeps search engines from indexing the page, or null. */
export function noindexOf(directives: readonly Directive[]): Directive | null {
  return (
    directives.find(
      ({ name, agent }) => (name === 'noindex' || name === 'none') && SEARCH_AGENTS.has(agent),
    ) ?? null
  );
}

/** Whether search engines may index the page: a 200 without noindex that was not reached by a redirect. */
export function isIndexable(page: {
  readonly fetch: PageFacts['fetch'];
  readonly document: Pick<DocumentFacts, 'metas'> | null;
}): boolean {
  const { fetch, document } = page;
  if (fetch?.status !== 200 || fetch.redirects.length > 0) return false;
  return noindexOf(directivesOf(fetch, document)) === null;
}

function metaDirectives(meta: DocumentFacts['metas'][number]): Directive[] {
  const { name, content, line } = meta;
  if (name === null || content === null || !SEARCH_AGENTS.has(name)) return [];
  return split(content).map((each) => ({ name: each, agent: name, from: 'meta', line, text: content }));
}

/** `X-Robots-Tag: googlebot: noindex, nofollow`: the agent applies to the whole value. */
function headerDirectives(value: string): Directive[] {
  const named = /^\s*([a-z][\w-]*)\s*:(.*)$/is.exec(value);
  const hasAgent =
    named !== null &&
    !/^(?:max-snippet|max-image-preview|max-video-preview|unavailable_after)$/i.test(named[1] ?? '');
  const agent = hasAgent ? (named[1] ?? '').toLowerCase() : 'robots';
  return split(hasAgent ? (named[2] ?? '') : value).map((name) => ({
    name,
    agent,
    from: 'header',
    line: null,
    text: value,
  }));
}

function split(content: string): string[] {
  if (DATED.test(content.trim())) return [content.trim().toLowerCase()];
  return content
    .split(',')
    .map((each) =>
      each
        .toLowerCase()
        .split(':')
        .map((part) => part.trim())
        .join(':'),
    )
    .filter((each) => each !== '');
}
