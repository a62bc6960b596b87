/** The URLs that an element loads, and their kinds. One table by tag; for `<link>` its `rel` decides. */
import type { Token } from 'parse5';
import { srcsetUrls } from '../../srcset-urls.js';
import type { HtmlAsset } from '../body-facts.js';

export type Attributes = ReadonlyMap<string, string>;

export function attributesOf(attrs: readonly Token.Attribute[]): Attributes {
  return new Map(attrs.map(({ name, value }) => [name, value]));
}

type Kind = HtmlAsset['kind'];

const SOURCES: Readonly<Record<string, readonly (readonly [attribute: string, kind: Kind])[]>> = {
  script: [['src', 'script']],
  img: [['src', 'image']],
  iframe: [['src', 'frame']],
  frame: [['src', 'frame']],
  embed: [['src', 'object']],
  object: [['data', 'object']],
  video: [
    ['src', 'media'],
    ['poster', 'image'],
  ],
  audio: [['src', 'media']],
  source: [['src', 'media']],
  track: [['src', 'media']],
  input: [['src', 'image']],
};

const PRELOADS: Readonly<Record<string, Kind>> = {
  script: 'script',
  style: 'style',
  image: 'image',
  font: 'font',
  document: 'frame',
  audio: 'media',
  video: 'media',
};

export function assetsOf(tag: string, attributes: Attributes): HtmlAsset[] {
  const sources = tag === 'link' ? linkSources(attributes) : (SOURCES[tag] ?? []);
  const named = sources.flatMap(([attribute, kind]): HtmlAsset[] => {
    const url = attributes.get(attribute)?.trim();
    if (!isLoaded(url)) return [];
    const [integrity, crossorigin] = [attributes.get('integrity'), attributes.get('crossorigin')];
    return [
      {
        kind,
        url,
        ...(integrity !== undefined && integrity !== '' && { integrity }),
        ...(crossorigin !== undefined && { crossorigin: crossorigin.toLowerCase() }),
      },
    ];
  });
  return [...named, ...imageCandidates(tag, attributes), ...styleAssets(attributes.get('style') ?? '')];
}

function isLoaded(url: string | undefined): url is string {
  return url !== undefined && url !== '' && !/^(?:data|blob|about|javascript):/i.test(url);
}

/** The images that a browser chooses from. */
function imageCandidates(tag: string, attributes: Attributes): HtmlAsset[] {
  const attribute = tag === 'link' ? 'imagesrcset' : 'srcset';
  if (tag !== 'img' && tag !== 'source' && tag !== 'link') return [];
  const urls = srcsetUrls(attributes.get(attribute) ?? '').filter(isLoaded);
  return urls.map((url) => ({ kind: 'image', url }));
}

const CSS_URL = /url\(\s{0,9}["']?([^"')\s]{1,2000})/gi;
const FONT = /\.(?:woff2?|ttf|otf|eot)(?:[?#]|$)/i;

/** Images and fonts in the page's CSS. A reference to an SVG fragment in the page itself loads nothing. */
export function styleAssets(css: string): HtmlAsset[] {
  return [...css.matchAll(CSS_URL)]
    .map(([, url = '']) => url)
    .filter((url) => isLoaded(url) && !url.startsWith('#'))
    .map((url) => ({ kind: FONT.test(url) ? 'font' : 'image', url }));
}

function linkSources(attributes: Attributes): readonly (readonly [string, Kind])[] {
  const rels = (attributes.get('rel') ?? '').toLowerCase().split(/\s+/);
  if (rels.includes('stylesheet')) return [['href', 'style']];
  if (rels.includes('modulepreload')) return [['href', 'script']];
  if (rels.includes('preload') || rels.includes('prefetch')) {
    return [['href', PRELOADS[attributes.get('as')?.toLowerCase() ?? ''] ?? 'other']];
  }
  if (rels.includes('icon') || rels.includes('apple-touch-icon')) return [['href', 'image']];
  return rels.includes('manifest') ? [['href', 'other']] : [];
}
