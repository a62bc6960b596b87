/** Which features a page may use, feature by feature; the older Feature-Policy counts as text. */

import { sameField } from '../compare-headers.js';
import { differencesOf } from '../differences.js';
import { sortedSet } from '../fields/code-unit-order.js';
import { structuredDictionary } from '../fields/structured-field.js';
import { presence, type Rule, weakerSide } from '../rule.js';
import type { SampleView } from '../sample-view.js';

export const permissionsPolicyDrift: Rule = {
  code: 'PERMISSIONS_POLICY_DRIFT',
  version: 1,
  title: 'Browser features are allowed differently',
  about:
    'Permissions-Policy allows a feature to more origins on one side. A warning when the protected side allows more, otherwise information.',
  recommendation: 'Send the same Permissions-Policy on both sides.',
  inputs: ['headers.extended'],
  claims: ['permissions-policy', 'feature-policy'],
  reads: ['permissions-policy'],
  grouped: (count) => `${count} browser features are allowed differently`,
  compare(left, right, { protectedSide }) {
    if (sameField(left, right, 'permissions-policy')) return [];
    const a = featuresOf(left);
    const b = featuresOf(right);
    const names = sortedSet([...a.keys(), ...b.keys()]);
    return differencesOf(names, (name) => {
      const values = [a.get(name), b.get(name)] as const;
      if (values[0]?.join() === values[1]?.join()) return undefined;
      const widths = [widthOf(values[0]), widthOf(values[1])] as const;
      const weaker = widths[0] === widths[1] ? undefined : widths[0] > widths[1] ? 'left' : 'right';
      return {
        section: 'headers',
        key: name,
        left: values[0] ?? null,
        right: values[1] ?? null,
        severity: weaker === protectedSide ? 'warn' : 'info',
        direction: weaker ? weakerSide(weaker) : presence(values[0], values[1]),
        message: `The feature ${name} is allowed differently`,
      };
    });
  },
};

function featuresOf(view: SampleView): ReadonlyMap<string, readonly string[]> {
  const lines = (view.lines('permissions-policy') ?? []).map((line) => view.map(line));
  return structuredDictionary(lines) ?? new Map([['(unparsable)', lines]]);
}

/** How many may use it: none, so many, or (absent or `*`) everyone. */
function widthOf(members: readonly string[] | undefined): number {
  return members === undefined || members.includes('*') ? Number.POSITIVE_INFINITY : members.length;
}
