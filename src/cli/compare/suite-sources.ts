/** Reads the paths of a suite from the sources given on the command line: a list, an OpenAPI document or a sitemap. */
import { parse } from 'yaml';
import { type PathSource, pathsFromList, pathsFromOpenApi, readSitemaps } from '../../compare/index.js';
import { SondeError } from '../../errors.js';
import type { HeaderList } from '../../net/index.js';
import { asUsage } from '../as-usage.js';
import type { ProbeClient } from '../ports.js';

export interface FoundPaths {
  readonly paths: readonly string[];
  readonly notes: readonly string[];
}

/** An invalid source is a usage error that names the source. */
function readNamed(name: string, read: () => PathSource): FoundPaths {
  return asUsage(() => {
    const { paths, skipped } = read();
    return { paths: refuseEmpty(paths), notes: skipped.map(({ path, why }) => `${name}: ${path} ${why}`) };
  }, `${name}: `);
}

export function refuseEmpty<T>(list: readonly T[]): readonly T[] {
  if (list.length > 0) return list;
  throw new SondeError('USAGE', 'there are no paths to compare');
}

export function listPaths(text: string, name: string): FoundPaths {
  return readNamed(name, () => pathsFromList(text));
}

/** JSON is valid YAML. The number of aliases is limited, so that a document cannot expand without bound. */
export function openapiPaths(text: string, name: string): FoundPaths {
  return readNamed(name, () => {
    let document: unknown;
    try {
      document = parse(text, { maxAliasCount: 100, logLevel: 'error' });
    } catch (cause) {
      throw new SondeError('USAGE', 'it is neither JSON nor YAML', { cause });
    }
    return pathsFromOpenApi(document);
  });
}

export interface SitemapRequest {
  readonly url: string;
  readonly prefix: string;
  readonly headers: HeaderList;
}

export async function sitemapPaths(
  outbound: ProbeClient,
  { url, prefix, headers }: SitemapRequest,
): Promise<string[]> {
  const fetchBytes = (at: string) => {
    outbound.refuse(at);
    return outbound.fetchBytes(at, headers);
  };
  try {
    return await readSitemaps({ url, prefix, fetchBytes });
  } catch (thrown) {
    if (thrown instanceof SondeError && thrown.code === 'INVALID_REQUEST')
      throw new SondeError('USAGE', thrown.message, { cause: thrown });
    throw thrown;
  }
}
