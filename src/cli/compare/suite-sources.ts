/** The sources of a suite as a person gives them, read into paths by the comparison's own readers. */
import { parse } from 'yaml';
import {
  type PathSource,
  pathsFromList,
  pathsFromOpenApi,
  pathsFromSitemap,
  SUITE_PATHS_MAX,
} from '../../compare/index.js';
import { SondeError } from '../../errors.js';
import type { HeaderList } from '../../net/index.js';
import type { HarArchive } from '../../probe/index.js';
import type { ProbeDoor } from '../ports.js';

export interface FoundPaths {
  readonly paths: readonly string[];
  readonly notes: readonly string[];
}

const SITEMAPS_MAX = 50;

/** A source's own fault is a fault of this call, and names the source. */
function named(name: string, read: () => PathSource): FoundPaths {
  try {
    const { paths, skipped } = read();
    return { paths: someOf(paths), notes: skipped.map(({ path, why }) => `${name}: ${path} ${why}`) };
  } catch (thrown) {
    if (thrown instanceof SondeError)
      throw new SondeError('USAGE', `${name}: ${thrown.message}`, { cause: thrown });
    throw thrown;
  }
}

export function someOf<T>(list: readonly T[]): readonly T[] {
  if (list.length > 0) return list;
  throw new SondeError('USAGE', 'there is no path to compare');
}

export function listPaths(text: string, name: string): FoundPaths {
  return named(name, () => pathsFromList(text));
}

/** JSON is YAML; aliases are bounded, so that a document cannot grow into more than it says. */
export function openapiPaths(text: string, name: string): FoundPaths {
  return named(name, () => {
    let document: unknown;
    try {
      document = parse(text, { maxAliasCount: 100, logLevel: 'error' });
    } catch (cause) {
      throw new SondeError('USAGE', 'it is neither JSON nor YAML', { cause });
    }
    return pathsFromOpenApi(document);
  });
}

export interface SitemapQuery {
  readonly url: string;
  /** The path of the side's base URL; only what lies below it belongs to the suite. */
  readonly prefix: string;
  readonly headers: HeaderList;
}

export async function sitemapPaths(
  door: ProbeDoor,
  { url, prefix, headers }: SitemapQuery,
): Promise<string[]> {
  const paths = new Set<string>();
  const waiting = [url];
  for (let files = 0; waiting.length > 0; files += 1) {
    if (files >= SITEMAPS_MAX)
      throw new SondeError('USAGE', `${url} leads to more than ${SITEMAPS_MAX} sitemaps`);
    const at = waiting.shift() ?? '';
    door.refuse(at);
    const text = new TextDecoder().decode(await unpacked(await door.fetchBytes(at, headers), at));
    const found = readSitemap(text, at);
    waiting.push(...found.sitemaps);
    for (const path of found.paths) if (path.startsWith(`${prefix}/`)) paths.add(path.slice(prefix.length));
    if (paths.size > SUITE_PATHS_MAX)
      throw new SondeError('USAGE', `${url} has more than ${SUITE_PATHS_MAX} pages`);
  }
  return [...paths];
}

function readSitemap(text: string, url: string) {
  try {
    return pathsFromSitemap(text);
  } catch (thrown) {
    if (thrown instanceof SondeError)
      throw new SondeError('USAGE', `${url}: ${thrown.message}`, { cause: thrown });
    throw thrown;
  }
}

const UNPACKED_BYTES_MAX = 50_000_000;

/** `sitemap.xml.gz` is gzip in itself, whatever the transfer did. */
async function unpacked(bytes: Uint8Array, url: string): Promise<Uint8Array> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  const stream = new Blob([Uint8Array.from(bytes)]).stream().pipeThrough(new DecompressionStream('gzip'));
  const pieces: Uint8Array[] = [];
  let length = 0;
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      length += next.value.length;
      if (length > UNPACKED_BYTES_MAX)
        throw new SondeError('USAGE', `${url} unpacks to more than ${UNPACKED_BYTES_MAX} bytes`);
      pieces.push(next.value);
    }
  } catch (thrown) {
    await reader.cancel().catch(() => undefined);
    throw thrown instanceof SondeError
      ? thrown
      : new SondeError('USAGE', `${url} is broken gzip`, { cause: thrown });
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

export interface RecordedPath {
  readonly path: string;
  readonly url: string;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Pages and data of the recording's own origin, each once; where a redirect leads is part of that redirect. */
export function recordedPaths({ records }: HarArchive): RecordedPath[] {
  const first = records.find(({ kind }) => kind === 'document') ?? records[0];
  const origin = first && URL.canParse(first.url) ? new URL(first.url).origin : undefined;
  const targets = new Set(
    records.flatMap(({ redirectUrl }) => (redirectUrl === undefined ? [] : [redirectUrl])),
  );
  const found = new Map<string, RecordedPath>();
  for (const { method, url, kind, status } of records) {
    const wanted = kind === 'document' || kind === 'fetch' || REDIRECTS.has(status);
    if (method !== 'GET' || !wanted || targets.has(url) || !URL.canParse(url)) continue;
    const { origin: own, pathname, search } = new URL(url);
    const path = `${pathname}${search}`;
    if (own === origin && !found.has(path)) found.set(path, { path, url });
  }
  return [...found.values()].slice(0, SUITE_PATHS_MAX);
}
