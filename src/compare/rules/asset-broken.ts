/** Something a page needs that cannot be loaded on one side; known from recordings. */
import type { ResourceFacts } from '../../probe/index.js';
import { assetForm } from '../asset-urls.js';
import { byCodeUnit } from '../fields/code-unit-order.js';
import { type Difference, type Rule, weakerSide } from '../rule.js';
import type { SampleView } from '../sample-view.js';

export const assetBroken: Rule = {
  code: 'ASSET_BROKEN',
  version: 1,
  title: 'A broken asset',
  about:
    'A script, style, image or request of the page fails or answers 400 or more on one side only. Critical.',
  recommendation: 'Check the deployment of static files and the paths they are loaded from.',
  inputs: ['resources'],
  claims: [],
  parts: ['resources'],
  grouped: (count) => `${count} assets are broken on one side only`,
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

function statesOf(view: SampleView): States {
  return new Map((view.envelope.resources ?? []).map((one) => [assetForm(one.url, view), faultOf(one)]));
}

function faultOf({ status, error }: ResourceFacts): string | null {
  if (status === undefined) return error ?? 'failed';
  return status >= 400 ? `HTTP ${status}` : null;
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
    message: `${form} is broken on the ${side} side: ${fault}`,
  };
}
