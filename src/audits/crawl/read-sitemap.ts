/** Fetches, unpacks and parses one sitemap file. Every response is a fact; nothing here fails. */
import { gunzip, isGzip } from '../../net/gunzip.js';
import type { SitemapFacts } from '../facts/site-facts.js';
import { type ParsedSitemap, parseSitemap, SITEMAP_LIMITS } from '../sitemap/parse-sitemap.js';
import type { AuditFetcher } from './audit-fetcher.js';

export type SitemapAsk = Pick<SitemapFacts, 'url' | 'foundBy' | 'foundOn'>;

export interface ReadSitemap extends Pick<ParsedSitemap, 'entries' | 'children'> {
  readonly facts: SitemapFacts;
}

const NOTHING: ParsedSitemap = {
  kind: 'unreadable',
  entries: [],
  children: [],
  entryCount: 0,
  problems: [],
  problemCount: 0,
};

export async function readSitemap(
  fetcher: AuditFetcher,
  ask: SitemapAsk,
  pause: () => Promise<void>,
): Promise<ReadSitemap> {
  const { facts: fetch, bytes } = await fetcher.fetch({ url: ask.url, keep: 'any' });
  if (fetch.status !== 200 || !bytes) return result({ ...ask, fetch, bytes: 0 }, NOTHING);
  const unpacked = isGzip(bytes) ? await gunzip(bytes, SITEMAP_LIMITS.bytes) : { bytes, cut: false };
  const facts = { ...ask, fetch, bytes: unpacked?.bytes.length ?? 0 };
  if (!unpacked) return result(facts, broken('gzip', 'an invalid gzip file'));
  const parsed = await parseSitemap(new TextDecoder().decode(unpacked.bytes), ask.url, pause);
  if (!unpacked.cut && !fetch.truncated) return result(facts, parsed);
  // Truncation breaks the XML, so the size is the only problem reported.
  const problem = {
    kind: 'too-large',
    line: 0,
    observed: `more than ${unpacked.bytes.length} bytes`,
  } as const;
  const problems = [problem, ...parsed.problems.filter(({ kind }) => kind !== 'xml')];
  return result(facts, { ...parsed, problems, problemCount: problems.length });
}

function broken(kind: 'gzip', observed: string): ParsedSitemap {
  return { ...NOTHING, problems: [{ kind, line: 0, observed }], problemCount: 1 };
}

function result(
  facts: SitemapAsk & Pick<SitemapFacts, 'fetch' | 'bytes'>,
  parsed: ParsedSitemap,
): ReadSitemap {
  const { kind, entryCount, problems, problemCount, entries, children } = parsed;
  const nested = kind === 'index' && facts.foundBy === 'index';
  const nestedProblem = {
    kind: 'nested-index',
    line: 1,
    observed: 'a sitemap index inside another index',
  } as const;
  return {
    facts: {
      ...facts,
      ...{ kind, entryCount },
      problems: nested ? [nestedProblem, ...problems] : problems,
      problemCount: problemCount + (nested ? 1 : 0),
    },
    entries,
    children: nested ? [] : children,
  };
}
