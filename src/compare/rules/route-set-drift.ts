/**
 * Paths that only one side's sitemap, OpenAPI document or HAR has. This is said of a suite, not of one pair, so
 * it is a function of two path lists and not a rule that a pair is run through.
 */
import { byCodeUnit, sortedSet, without } from '../fields/code-unit-order.js';
import type { Finding } from '../finding.js';
import { makeFinding } from '../make-finding.js';
import type { Difference, Rule } from '../rule.js';

export const routeSetDrift: Rule = {
  code: 'ROUTE_SET_DRIFT',
  version: 1,
  title: 'A path exists on one side only',
  about:
    "A path is in only one side's sitemap, OpenAPI document or recording. A warning, given once a suite.",
  recommendation: 'Check whether the route was forgotten in one environment or is not meant to be there.',
  inputs: [],
  claims: [],
  grouped: (count) => `${count} paths exist on one side only`,
  compare: () => [],
};

/** undefined when both sides have the same paths. */
export function routeSetFinding(left: readonly string[], right: readonly string[]): Finding | undefined {
  const a = sortedSet(left);
  const b = sortedSet(right);
  const differences = [
    ...without(a, b).map((path) => routeDifference(path, 'left')),
    ...without(b, a).map((path) => routeDifference(path, 'right')),
  ].sort((x, y) => byCodeUnit(x.key, y.key));
  if (differences.length === 0) return undefined;
  const group = differences.map((difference) => ({ difference, noisy: false, ignored: false }));
  return makeFinding(group, { rule: routeSetDrift, verified: true, route: '*', truncated: [] });
}

function routeDifference(path: string, side: 'left' | 'right'): Difference {
  return {
    section: 'routes',
    key: path,
    left: side === 'left' ? path : null,
    right: side === 'right' ? path : null,
    severity: 'warn',
    direction: side === 'left' ? 'left_only' : 'right_only',
    message: `${path} exists on the ${side} side only`,
  };
}
