/**
 * Reads the paths of a recording: pages and data of its own origin, each once, with a redirect in place of its target.
 */
import type { HarArchive } from '../../probe/index.js';
import { tryUrl } from '../../try-url.js';
import { SUITE_PATHS_MAX } from './path-sources.js';

export interface RecordedPath {
  readonly path: string;
  readonly url: string;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

export function recordedPaths({ records }: HarArchive): RecordedPath[] {
  const first = records.find(({ kind }) => kind === 'document') ?? records[0];
  const origin = first && tryUrl(first.url)?.origin;
  const targets = new Set(
    records.flatMap(({ redirectUrl }) => (redirectUrl === undefined ? [] : [redirectUrl])),
  );
  const found = new Map<string, RecordedPath>();
  for (const { method, url, kind, status } of records) {
    const wanted = kind === 'document' || kind === 'fetch' || REDIRECTS.has(status);
    if (method !== 'GET' || !wanted || targets.has(url)) continue;
    const parsed = tryUrl(url);
    if (!parsed) continue;
    const { origin: own, pathname, search } = parsed;
    const path = `${pathname}${search}`;
    if (own === origin && !found.has(path)) found.set(path, { path, url });
  }
  return [...found.values()].slice(0, SUITE_PATHS_MAX);
}
