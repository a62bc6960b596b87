/** A page over https that loads something over http, on one side only. */
import { assetsOf, type PageAsset } from '../asset-urls.js';
import { byKey } from '../differences.js';
import { type Difference, NAME, type Rule, valueOn, weakerSide, worstAndMore } from '../rule.js';
import type { SampleView } from '../sample-view.js';
import { isHttps } from '../security-policy.js';

/** Browsers block these; images and media are upgraded or flagged. */
const ACTIVE: ReadonlySet<PageAsset['kind']> = new Set(['script', 'style', 'frame', 'object', 'font']);

const NOUNS: Readonly<Record<PageAsset['kind'], string>> = {
  script: 'a script',
  style: 'a stylesheet',
  image: 'an image',
  frame: 'a frame',
  media: 'a media file',
  font: 'a font',
  object: 'an object',
  other: 'a file',
};

export const mixedContentDrift: Rule = {
  code: 'MIXED_CONTENT_DRIFT',
  version: 2,
  title: 'Assets are loaded over plain http',
  about:
    'A page served over https loads an asset over http on one side only: critical for scripts, styles, frames, fonts and objects, which browsers block, a warning for images and media.',
  recommendation: 'Load all assets over https.',
  inputs: ['body.content'],
  grouped: worstAndMore,
  compare(left, right) {
    const a = insecure(left);
    const b = insecure(right);
    return byKey([
      ...[...a.values()].filter(({ form }) => !b.has(form)).map((asset) => difference(asset, 'left')),
      ...[...b.values()].filter(({ form }) => !a.has(form)).map((asset) => difference(asset, 'right')),
    ]);
  },
};

function insecure(view: SampleView): ReadonlyMap<string, PageAsset> {
  if (!isHttps(view)) return new Map();
  return new Map(
    assetsOf(view)
      .filter(({ url }) => /^http:/i.test(url))
      .map((asset) => [asset.form, asset]),
  );
}

function difference({ form, url, kind }: PageAsset, side: 'left' | 'right'): Difference {
  return {
    section: 'body',
    key: form,
    ...valueOn(side, url),
    severity: ACTIVE.has(kind) ? 'critical' : 'warn',
    direction: weakerSide(side),
    message: `${NAME[side]} loads ${NOUNS[kind]} over plain http: ${url}`,
    kind,
  };
}
