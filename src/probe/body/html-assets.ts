/** Which URLs an element loads, and as what. One table by tag; `<link>` decides by its `rel`. */
import type { Token } from 'parse5';
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
  return sources.flatMap(([attribute, kind]) => {
    const url = attributes.get(attribute)?.trim();
    if (url === undefined || url === '' || /^(?:data|blob|about|javascript):/i.test(url)) return [];
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
