/** Everything a browser would load for a page, from the lists of its document. */
import type { DocumentFacts } from './facts/page-facts.js';

export type SubresourceKind = 'script' | 'style' | 'image' | 'embed' | 'icon' | 'preload';

export interface Subresource {
  readonly kind: SubresourceKind;
  readonly tag: string;
  /** As written. */
  readonly src: string;
  /** Resolved; null where it is no http(s) URL. */
  readonly url: string | null;
  readonly line: number;
}

const LINK_KINDS: readonly (readonly [rel: string, kind: SubresourceKind])[] = [
  ['stylesheet', 'style'],
  ['icon', 'icon'],
  ['apple-touch-icon', 'icon'],
  ['manifest', 'icon'],
  ['preload', 'preload'],
  ['modulepreload', 'preload'],
];

export function subresources(
  document: Pick<DocumentFacts, 'links' | 'scripts' | 'images' | 'embeds'>,
): Subresource[] {
  const found: Subresource[] = [];
  for (const { rel, href, url, line } of document.links) {
    const kind = LINK_KINDS.find(([name]) => rel.includes(name))?.[1];
    if (kind !== undefined && href !== null && !rel.includes('alternate'))
      found.push({ kind, tag: 'link', src: href, url, line });
  }
  for (const { src, url, line } of document.scripts) {
    if (src !== null) found.push({ kind: 'script', tag: 'script', src, url, line });
  }
  for (const { src, url, line } of document.images) {
    if (src !== null) found.push({ kind: 'image', tag: 'img', src, url, line });
  }
  for (const { tag, src, url, line } of document.embeds) found.push({ kind: 'embed', tag, src, url, line });
  return found;
}
