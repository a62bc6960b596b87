/**
 * The paths of a sitemap (sitemaps.org 0.9) or of a sitemap index, fetched through the guarded door. Entities
 * are the five of XML and numbers; a document type is refused, because nothing in a sitemap needs one.
 */
import { type Egress, followRedirects } from '../../net/index.js';
import { drainBody } from '../body/read-body-facts.js';
import { badPaths, readPath, SUITE_PATHS_MAX } from './suite-paths.js';

export const SITEMAP_LIMITS = { files: 50, bytes: 10_000_000, totalMs: 30_000, redirects: 5 } as const;

export interface SitemapQuery {
  readonly url: string;
  readonly headers?: readonly (readonly [string, string])[];
  readonly signal?: AbortSignal;
}

export async function pathsFromSitemap(egress: Egress, query: SitemapQuery): Promise<string[]> {
  const paths = new Set<string>();
  const waiting = [query.url];
  for (let files = 0; waiting.length > 0; files += 1) {
    if (files >= SITEMAP_LIMITS.files)
      throw badPaths(`the sitemap has more than ${SITEMAP_LIMITS.files} files`);
    const url = waiting.shift() ?? '';
    const { locations, isIndex } = readSitemap(await fetchText(egress, { ...query, url }), url);
    if (isIndex) waiting.push(...locations);
    else for (const location of locations) paths.add(readPath(location, url));
    if (paths.size > SUITE_PATHS_MAX) {
      throw badPaths(`the sitemap at ${query.url} has more than ${SUITE_PATHS_MAX} pages`);
    }
  }
  return [...paths];
}

async function fetchText(egress: Egress, { url, headers, signal }: SitemapQuery): Promise<string> {
  const result = await followRedirects(egress, {
    url,
    headers: headers ?? [],
    maxRedirects: SITEMAP_LIMITS.redirects,
    limits: { totalMs: SITEMAP_LIMITS.totalMs },
    ...(signal && { signal }),
  });
  if (!result.ok) throw result.error;
  const { bytes, truncated, error } = await drainBody(result.response.body, SITEMAP_LIMITS.bytes);
  if (error) throw error;
  if (result.response.status !== 200)
    throw badPaths(`the sitemap at ${url} answered ${result.response.status}`);
  if (truncated) throw badPaths(`the sitemap at ${url} has more than ${SITEMAP_LIMITS.bytes} bytes`);
  return new TextDecoder().decode(await unpacked(bytes, url));
}

/** `sitemap.xml.gz` is gzip in itself, whatever the transfer did. */
async function unpacked(bytes: Uint8Array, url: string): Promise<Uint8Array> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  const reader = new Blob([Uint8Array.from(bytes)])
    .stream()
    .pipeThrough(new DecompressionStream('gzip'))
    .getReader();
  const {
    bytes: plain,
    truncated,
    error,
  } = await drainBody(
    {
      read: async () => (await reader.read()).value,
      cancel: () => void reader.cancel().catch(() => undefined),
    },
    SITEMAP_LIMITS.bytes,
  );
  if (error || truncated) throw badPaths(`the sitemap at ${url} cannot be unpacked within its bound`, error);
  return plain;
}

export function readSitemap(text: string, url: string): { locations: string[]; isIndex: boolean } {
  if (/<!DOCTYPE/i.test(text)) throw badPaths(`the sitemap at ${url} has a document type, which is refused`);
  const root = /<(?:[\w-]+:)?(urlset|sitemapindex)[\s>]/.exec(text)?.[1];
  if (root === undefined) throw badPaths(`${url} is no sitemap: it has neither urlset nor sitemapindex`);
  const plain = text.replace(/<!--[\s\S]*?-->/g, '');
  const locations = [...plain.matchAll(/<(?:[\w-]+:)?loc\s*>([\s\S]*?)<\/(?:[\w-]+:)?loc\s*>/g)].map(
    ([, value = '']) => decodeText(value),
  );
  return { locations: locations.filter((location) => location !== ''), isIndex: root === 'sitemapindex' };
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decodeText(text: string): string {
  return text
    .replace(/<!\[CDATA\[([\s\S]*?)\]\]>/g, '$1')
    .replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|amp|lt|gt|quot|apos);/gi, (whole, body: string) => {
      const named = NAMED[body.toLowerCase()];
      if (named !== undefined) return named;
      const code = /^#x/i.test(body) ? Number.parseInt(body.slice(2), 16) : Number(body.slice(1));
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    })
    .trim();
}
