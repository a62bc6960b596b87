/** Fetches the stylesheets of a site and lists the fonts and images that they load. */
import { tryUrl } from '../../try-url.js';
import { cssReferences } from '../extract/css-references.js';
import { isHtmlFallback } from '../html-fallback.js';
import type { AuditFetcher } from './audit-fetcher.js';
import type { StyleReference, StylesPart } from './audit-parts.js';

/** Sites bundle their styles into a few files; `bytes` is as much as the scanner reads. */
export const STYLE_LIMITS = { sheets: 15, bytes: 1_000_000, tries: 2 } as const;

export async function readStyles(fetcher: AuditFetcher, urls: readonly string[]): Promise<StylesPart> {
  const { bytes: bodyBytes, tries } = STYLE_LIMITS;
  const read = await Promise.all(
    urls.map(async (url) => {
      const { facts, bytes } = await fetcher.fetch({ url, keep: 'any', bodyBytes, tries });
      const isStyle = facts.status === 200 && bytes && !isHtmlFallback(facts);
      return { facts, css: isStyle ? new TextDecoder().decode(bytes) : '' };
    }),
  );
  return {
    checks: read.map(({ facts }) => facts),
    references: read.flatMap(({ facts, css }) => referencesOf(facts.url, facts.finalUrl, css)),
  };
}

function referencesOf(sheet: string, base: string, css: string): StyleReference[] {
  return cssReferences(css).flatMap(({ href, kind, line }) => {
    const url = tryUrl(href, base);
    return url && /^https?:$/.test(url.protocol) ? [{ sheet, url: url.href, kind, line }] : [];
  });
}
