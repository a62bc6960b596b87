/** How a suite's paths become the URLs of its two sides. */
import type { Side } from '../../probe/index.js';
import { trimEnd } from '../../trim-end.js';
import { tryUrl } from '../../try-url.js';

export type SideBases = Readonly<Record<Side, string>>;

/** The path of the base URL is kept as a prefix: `https://host/app` and `/x` make `/app/x`. */
export function urlUnder(base: string, path: string): string {
  return `${new URL(base).origin}${prefixOf(base)}${path}`;
}

/** The path of a base URL without trailing slashes: only paths below it belong to the suite. */
export function prefixOf(base: string): string {
  return trimEnd(new URL(base).pathname, '/');
}

/** A path, or a URL of one side, is resolved against each side; a URL of neither side is used as is. */
export function sitemapUrl(text: string, bases: SideBases, side: Side): string {
  const url = tryUrl(text);
  if (!url) return urlUnder(bases[side], text.startsWith('/') ? text : `/${text}`);
  const own = [bases.left, bases.right].some((base) => new URL(base).origin === url.origin);
  return own ? `${new URL(bases[side]).origin}${url.pathname}${url.search}` : text;
}
