/** Something a page needs that cannot be loaded on one side: from HEAD checks of its assets, or from a recording. */
import type { ResourceFacts } from '../../probe/index.js';
import { assetForm } from '../asset-urls.js';
import { byCodeUnit } from '../fields/code-unit-order.js';
import { type Difference, NAME, type Rule, weakerSide, worstAndMore } from '../rule.js';
import type { SampleView } from '../sample-view.js';

export const assetBroken: Rule = {
  code: 'ASSET_BROKEN',
  version: 2,
  title: 'Assets do not load',
  about:
    'A script, stylesheet, image, font or other request of the page fails or returns 400 or more on one side only. Critical. A probe checks the same-origin assets that the page names with HEAD requests, up to a limit; a recording has the status of everything the page loaded. An asset that is broken on both sides is not drift.',
  recommendation: 'Check the deployment of static files and the paths they are loaded from.',
  inputs: ['resources'],
  claims: [],
  grouped: worstAndMore,
  compare(left, right) {
    const a = statesOf(left);
    const b = statesOf(right);
    return [
      ...broken(a, b).map((form) => difference(form, a.get(form), 'left')),
      ...broken(b, a).map((form) => difference(form, b.get(form), 'right')),
    ].sort((x, y) => byCodeUnit(x.key, y.key));
  },
};

/** Form → what went wrong, or null where it loaded. */
type States = ReadonlyMap<string, string | null>;

/** Several files may share one form once their build hashes are gone: one that fails makes the form fail. */
function statesOf(view: SampleView): States {
  const states = new Map<string, string | null>();
  for (const one of view.envelope.resources ?? []) {
    const form = assetForm(one.url, view);
    states.set(form, states.get(form) ?? faultOf(one));
  }
  return states;
}

function faultOf({ status, error }: ResourceFacts): string | null {
  if (status === undefined) return error ?? 'failed';
  return status >= 400 ? `HTTP ${status}` : null;
}

/** Without the host, which is the side's own where it is mapped. */
function shownForm(form: string): string {
  return form.replace(/^\/\/\{host\d*\}/, '');
}

function broken(a: States, b: States): string[] {
  return [...a]
    .filter(([form, fault]) => fault !== null && (b.get(form) ?? null) === null)
    .map(([form]) => form);
}

function difference(form: string, fault: string | null | undefined, side: 'left' | 'right'): Difference {
  return {
    section: 'body',
    key: form,
    left: side === 'left' ? (fault ?? null) : 'loads',
    right: side === 'right' ? (fault ?? null) : 'loads',
    severity: 'critical',
    direction: weakerSide(side),
    message: `${shownForm(form)} does not load on ${NAME[side]}: ${fault}`,
  };
}
