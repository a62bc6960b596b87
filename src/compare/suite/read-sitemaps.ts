/**
 * Reads the paths of a side from its sitemap, following indexes and unpacking gzip within limits. Fetching is a port.
 */
import { SondeError } from '../../errors.js';
import { gunzip, isGzip } from '../../net/gunzip.js';
import { pathsFromSitemap, refused, SUITE_PATHS_MAX } from './path-sources.js';

const SITEMAPS_MAX = 50;
const UNPACKED_BYTES_MAX = 50_000_000;

export interface SitemapQuery {
  readonly url: string;
  /** Only paths below it belong to the suite. */
  readonly prefix: string;
  /** Returns the bytes of a document, or throws. It has to check the URL itself. */
  readonly fetchBytes: (url: string) => Promise<Uint8Array>;
}

export async function readSitemaps({ url, prefix, fetchBytes }: SitemapQuery): Promise<string[]> {
  const paths = new Set<string>();
  const queue = [url];
  for (let files = 0; queue.length > 0; files += 1) {
    if (files >= SITEMAPS_MAX) throw refused('sitemap', `${url} leads to more than ${SITEMAPS_MAX} sitemaps`);
    const at = queue.shift() ?? '';
    const text = new TextDecoder().decode(await unpack(await fetchBytes(at), at));
    const found = sitemapAt(text, at);
    queue.push(...found.sitemaps);
    for (const path of found.paths) if (path.startsWith(`${prefix}/`)) paths.add(path.slice(prefix.length));
    if (paths.size > SUITE_PATHS_MAX)
      throw refused('sitemap', `${url} has more than ${SUITE_PATHS_MAX} pages`);
  }
  return [...paths];
}

function sitemapAt(text: string, url: string) {
  try {
    return pathsFromSitemap(text);
  } catch (thrown) {
    if (thrown instanceof SondeError) throw refused('sitemap', `${url}: ${thrown.message}`);
    throw thrown;
  }
}

/** `sitemap.xml.gz` is a gzip file, even without Content-Encoding. */
async function unpack(bytes: Uint8Array, url: string): Promise<Uint8Array> {
  if (!isGzip(bytes)) return bytes;
  const result = await gunzip(bytes, UNPACKED_BYTES_MAX);
  if (!result) throw refused('sitemap', `${url} is not valid gzip`);
  if (result.cut) throw refused('sitemap', `${url} unpacks to more than ${UNPACKED_BYTES_MAX} bytes`);
  return result.bytes;
}
