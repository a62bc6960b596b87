/**
 * Reads paths to compare from a list, a sitemap, an OpenAPI document or a recording. Pure: nothing is fetched, and a
 * document that points elsewhere is rejected or returns what it points to. Paths keep their order, each occurs once,
 * and there are at most `SUITE_PATHS_MAX`.
 */
import { SondeError } from '../../errors.js';
import { tryUrl } from '../../try-url.js';

export const SUITE_PATHS_MAX = 2000;
const PATH_CHARS_MAX = 2000;

export interface PathSource {
  readonly paths: readonly string[];
  /** What could not become a path, and why. */
  readonly skipped: readonly { readonly path: string; readonly why: string }[];
}

/** One path or URL per line; empty lines and lines that begin with `#` are ignored. */
export function pathsFromList(text: string): PathSource {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const paths = lines.flatMap((line, index) => {
    if (line === '' || line.startsWith('#')) return [];
    const path = pathOf(line);
    if (path === undefined) throw refused('paths', `line ${index + 1} is neither a path nor an http(s) URL`);
    return [path];
  });
  return { paths: bounded(paths), skipped: [] };
}

export interface SitemapSource extends PathSource {
  /** URLs of further sitemaps if this is an index; the caller decides whether to fetch them. */
  readonly sitemaps: readonly string[];
}

/** The `<loc>`s of a sitemap or sitemap index. No DTD, no entities but XML's own. */
export function pathsFromSitemap(xml: string): SitemapSource {
  if (/<!(DOCTYPE|ENTITY)/i.test(xml)) throw refused('sitemap', 'it has a document type definition');
  const isIndex = /<(?:[\w-]+:)?sitemapindex[\s>]/.test(xml);
  if (!isIndex && !/<(?:[\w-]+:)?urlset[\s>]/.test(xml))
    throw refused('sitemap', 'it has neither urlset nor sitemapindex');
  const locations = [...xml.matchAll(/<(?:[\w-]+:)?loc>([^<]*)<\/(?:[\w-]+:)?loc>/g)].map(([, text = '']) =>
    decodeXml(text.trim()),
  );
  // One entry that is no URL says nothing about the others.
  const skipped: { path: string; why: string }[] = [];
  const kept = <T>(location: string, value: T | undefined): T[] => {
    if (value === undefined)
      skipped.push({ path: location.slice(0, PATH_CHARS_MAX), why: 'is not an http(s) URL' });
    return value === undefined ? [] : [value];
  };
  if (isIndex) {
    const sitemaps = locations.flatMap((each) =>
      kept(each, HTTP.test(each) ? tryUrl(each)?.href : undefined),
    );
    return { paths: [], skipped, sitemaps: bounded(sitemaps) };
  }
  return { paths: bounded(locations.flatMap((each) => kept(each, pathOf(each)))), skipped, sitemaps: [] };
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decodeXml(text: string): string {
  return text.replace(/&(#\d{1,7}|#x[0-9a-f]{1,6}|\w{2,4});/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return ENTITIES[name] ?? whole;
    const point = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
  });
}

/** The request part of a recording's entry. */
export interface RecordedRequest {
  readonly method: string;
  readonly url: string;
}

/** GET requests to the host of the first one. */
export function pathsFromRecording(entries: readonly RecordedRequest[]): PathSource {
  const urls = entries
    .map(({ method, url }) => (method.toUpperCase() === 'GET' ? tryUrl(url) : undefined))
    .filter((url) => url !== undefined);
  const host = urls[0]?.host;
  return {
    paths: bounded(urls.filter((url) => url.host === host).map((url) => url.pathname + url.search)),
    skipped: [],
  };
}

const HTTP = /^https?:\/\//i;
const NO_HOST = 'http://path.invalid';

/**
 * Path and query of a URL or path; undefined if it is neither. The parser normalizes dot segments and spaces as a
 * request would. It also drops tabs and reads a backslash as a slash, so a path may turn out to name a host.
 */
export function pathOf(text: string): string | undefined {
  if (text.length > PATH_CHARS_MAX) return undefined;
  const isPath = text.startsWith('/');
  const url = isPath || HTTP.test(text) ? tryUrl(text, NO_HOST) : undefined;
  if (!url || (isPath && url.origin !== NO_HOST)) return undefined;
  return url.pathname + url.search;
}

export function bounded(paths: readonly string[]): readonly string[] {
  const unique = [...new Set(paths)];
  if (unique.length > SUITE_PATHS_MAX) {
    const message = `a suite can have at most ${SUITE_PATHS_MAX} paths, got ${unique.length}`;
    throw new SondeError('INVALID_REQUEST', message, { details: { field: 'paths', limit: SUITE_PATHS_MAX } });
  }
  return unique;
}

export function refused(field: string, why: string): SondeError {
  return new SondeError('INVALID_REQUEST', `${field}: ${why}`, { details: { field } });
}
