/** Lists everything that a browser would load for a page. */
import type { DocumentFacts } from './facts/page-facts.js';

export type SubresourceKind = 'script' | 'style' | 'image' | 'font' | 'embed' | 'icon' | 'preload';

export interface Subresource {
  readonly kind: SubresourceKind;
  readonly tag: string;
  /** As written. */
  readonly src: string;
  /** Resolved; null if it is not an http(s) URL. */
  readonly url: string | null;
  readonly line: number;
}

const LINK_KINDS: readonly (readonly [rel: string, kind: SubresourceKind])[] = [
  ['stylesheet', 'style'],
  ['icon', 'icon'],
  ['apple-touch-icon', 'icon'],
  ['manifest', 'icon'],
  ['modulepreload', 'script'],
  ['preload', 'preload'],
];

/** The kind of a preload, by its `as`. */
const PRELOADED: Readonly<Record<string, SubresourceKind>> = {
  script: 'script',
  style: 'style',
  image: 'image',
  font: 'font',
};

export function subresources(
  document: Pick<DocumentFacts, 'links' | 'scripts' | 'images' | 'embeds'>,
): Subresource[] {
  const found: Subresource[] = [];
  for (const { rel, href, url, line, as } of document.links) {
    const kind = LINK_KINDS.find(([name]) => rel.includes(name))?.[1];
    // An alternate stylesheet is loaded too; other alternates are other pages.
    if (kind === undefined || href === null || (kind !== 'style' && rel.includes('alternate'))) continue;
    const loaded = kind === 'preload' ? (PRELOADED[as ?? ''] ?? kind) : kind;
    found.push({ kind: loaded, tag: 'link', src: href, url, line });
  }
  for (const { src, url, line } of document.scripts) {
    if (src !== null) found.push({ kind: 'script', tag: 'script', src, url, line });
  }
  for (const { src, url, line } of document.images) {
    if (src !== null) found.push({ kind: 'image', tag: 'img', src, url, line });
  }
  for (const { kind, tag, src, url, line } of document.embeds) found.push({ kind, tag, src, url, line });
  return found;
}
