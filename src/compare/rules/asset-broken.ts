/** Assets of a page that cannot be loaded on one side, from HEAD checks or from a recording. */
import type { ResourceFacts } from '../../probe/index.js';
import { assetForm, shownForm } from '../asset-urls.js';
import { byKey } from '../differences.js';
import { type Difference, NAME, type Rule, valueOn, weakerSide, worstAndMore } from '../rule.js';
import type { SampleView } from '../sample-view.js';

export const assetBroken: Rule = {
  code: 'ASSET_BROKEN',
  version: 3,
  title: 'Assets do not load',
  about:
    'A script, style, image, font, frame or request of the page fails, returns 400 or more, or returns a type that browsers refuse (a stylesheet that is not CSS, an HTML page in place of a script, font or image) on one side only. Critical. A probe checks the same-origin assets that the page names with HEAD requests, up to a limit; a recording has the status of everything the page loaded. An asset that is broken on both sides is not drift.',
  recommendation: 'Check the deployment of static files and the paths they are loaded from.',
  inputs: ['resources'],
  grouped: worstAndMore,
  compare(left, right) {
    const a = statesOf(left);
    const b = statesOf(right);
    return byKey([...broken(a, b, left), ...broken(b, a, right)]);
  },
};

/** Form → what went wrong, or null if it loaded. */
type States = ReadonlyMap<string, string | null>;

/** Several files can share one form without their build hashes; the form fails if one of them does. */
function statesOf(view: SampleView): States {
  const states = new Map<string, string | null>();
  for (const one of view.envelope.resources ?? []) {
    const form = assetForm(one.url, view);
    states.set(form, states.get(form) ?? faultOf(one));
  }
  return states;
}

function faultOf({ status, error, kind, contentType }: ResourceFacts): string | null {
  if (status === undefined) return error ?? 'failed';
  if (status >= 400) return `HTTP ${status}`;
  return isRefusedType(kind, contentType) ? `${contentType} instead of ${TYPE_NAMES[kind]}` : null;
}

const TYPE_NAMES: Readonly<Partial<Record<ResourceFacts['kind'], string>>> = {
  style: 'text/css',
  script: 'a script',
  font: 'a font',
  image: 'an image',
};

/** Browsers reject a stylesheet of another type; an HTML page in place of an asset is the fallback of a router. */
function isRefusedType(kind: ResourceFacts['kind'], contentType: string | undefined): boolean {
  if (contentType === undefined || TYPE_NAMES[kind] === undefined) return false;
  return kind === 'style' ? !contentType.startsWith('text/css') : contentType.startsWith('text/html');
}

function broken(own: States, others: States, view: SampleView): Difference[] {
  const { side } = view;
  return [...own]
    .filter(([form, fault]) => fault !== null && (others.get(form) ?? null) === null)
    .map(([form, fault]) => ({
      section: 'body',
      key: form,
      ...valueOn(side, fault, 'loads'),
      severity: 'critical',
      direction: weakerSide(side),
      message: `${shownForm(form, view)} does not load on ${NAME[side]}: ${fault}`,
    }));
}
