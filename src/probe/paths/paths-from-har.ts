/** The pages and data requests of a recording, as paths: what a suite of two recordings compares. */
import type { HarArchive } from '../har/har-archive.js';

const KINDS = new Set(['document', 'fetch']);
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

export interface HarPath {
  readonly path: string;
  readonly url: string;
}

/** GETs of the recording's own origin (that of its first page), each once, redirect targets left out. */
export function pathsFromHar({ records }: HarArchive): HarPath[] {
  const first = records.find(({ kind }) => kind === 'document') ?? records[0];
  const origin = first && URL.canParse(first.url) ? new URL(first.url).origin : undefined;
  const targets = new Set(
    records.flatMap(({ redirectUrl, status }) => (redirectUrl && REDIRECTS.has(status) ? [redirectUrl] : [])),
  );
  const found = new Map<string, HarPath>();
  for (const { method, url, kind, status } of records) {
    const wanted = KINDS.has(kind) || REDIRECTS.has(status);
    if (method !== 'GET' || !wanted || targets.has(url) || !URL.canParse(url)) continue;
    const parsed = new URL(url);
    const path = `${parsed.pathname}${parsed.search}`;
    if (parsed.origin === origin && !found.has(path)) found.set(path, { path, url });
  }
  return [...found.values()];
}
