/** What a page asks of search engines, from its robots metas and `X-Robots-Tag` headers, each with its place. */
import { type FetchFacts, headersOf } from './facts/fetch-facts.js';
import type { DocumentFacts, PageFacts } from './facts/page-facts.js';

export interface Directive {
  /** In lower case, with its value: `noindex`, `max-snippet:0`. */
  readonly name: string;
  /** `robots` for everyone, else the agent in lower case. */
  readonly agent: string;
  readonly from: 'meta' | 'header';
  readonly line: number | null;
  /** The meta's content or the header's value. */
  readonly text: string;
}

/** Agents of a search engine's own; a directive for another crawler is not about being found. */
const SEARCH_AGENTS = new Set(['robots', 'googlebot', 'bingbot']);

/** Directives with a value that may hold a comma or a colon of its own. */
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

/** The directive that keeps a search engine from indexing the page; null where there is none. */
export function noindexOf(directives: readonly Directive[]): Directive | null {
  return (
    directives.find(
      ({ name, agent }) => (name === 'noindex' || name === 'none') && SEARCH_AGENTS.has(agent),
    ) ?? null
  );
}

/** A 200 that search engines may index: not refused by a directive, and not sent elsewhere by a redirect. */
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

/** `X-Robots-Tag: googlebot: noindex, nofollow`: an agent before the list is for all of that value. */
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
