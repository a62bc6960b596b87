/** Which browser features a page may use, compared feature by feature. */
import { sameField } from '../compare-headers.js';
import { differencesOf } from '../differences.js';
import { sortedSet } from '../fields/code-unit-order.js';
import { structuredDictionary } from '../fields/structured-field.js';
import { NAME, type Rule, weakerBelow, worstAndMore } from '../rule.js';
import type { SampleView } from '../sample-view.js';

export const permissionsPolicyDrift: Rule = {
  code: 'PERMISSIONS_POLICY_DRIFT',
  version: 2,
  title: 'Permissions policies differ',
  about:
    'Permissions-Policy allows a feature for more or different origins on the candidate. Warning; info if it allows fewer.',
  recommendation: 'Send the same Permissions-Policy on both sides.',
  inputs: ['headers.extended'],
  claims: ['permissions-policy', 'feature-policy'],
  grouped: worstAndMore,
  compare(left, right) {
    if (sameField(left, right, 'permissions-policy')) return [];
    const a = featuresOf(left);
    const b = featuresOf(right);
    const names = sortedSet([...a.keys(), ...b.keys()]);
    return differencesOf(names, (name) => {
      const values = [a.get(name), b.get(name)] as const;
      if (values[0]?.join() === values[1]?.join()) return undefined;
      const widths = [widthOf(values[0]), widthOf(values[1])] as const;
      return {
        section: 'headers',
        key: name,
        left: values[0] ?? null,
        right: values[1] ?? null,
        severity: 'warn',
        direction: weakerBelow(-widths[0], -widths[1]),
        message: `The feature ${name} is ${formatAllowlist(values[0])} on ${NAME.left} and ${formatAllowlist(values[1])} on ${NAME.right}`,
      };
    });
  },
};

function featuresOf(view: SampleView): ReadonlyMap<string, readonly string[]> {
  const lines = (view.lines('permissions-policy') ?? []).map((line) => view.map(line));
  return structuredDictionary(lines) ?? new Map([['(unparsable)', lines]]);
}

function formatAllowlist(members: readonly string[] | undefined): string {
  if (members === undefined) return 'not restricted';
  if (members.includes('*')) return 'allowed to everyone';
  return `allowed to ${members.length === 0 ? 'nobody' : members.join(' ')}`;
}

/** How many origins may use it: none, a number, or (absent or `*`) all. */
function widthOf(members: readonly string[] | undefined): number {
  return members === undefined || members.includes('*') ? Number.POSITIVE_INFINITY : members.length;
}
