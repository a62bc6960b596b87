/**
 * Paths that only one side's sitemap, OpenAPI document or HAR has. It is about a suite, not about one pair, so it is
 * a function of two path lists and not a rule that runs for every pair.
 */
import type { Side } from '../../probe/index.js';
import { oneSidedDifferences } from '../differences.js';
import { sortedSet } from '../fields/code-unit-order.js';
import type { Finding } from '../finding.js';
import { makeFinding } from '../make-finding.js';
import { NAME, otherSide, type Rule, weakerSide } from '../rule.js';
import type { SideLabels } from '../side-labels.js';

export const routeSetDrift: Rule = {
  code: 'ROUTE_SET_DRIFT',
  version: 2,
  title: 'A path is missing',
  about:
    "A path of the reference is not in the candidate's sitemap, OpenAPI document or recording. Warning, reported once per suite; info if only the candidate has the path.",
  recommendation: 'Check whether the route was forgotten or removed on purpose.',
  inputs: [],
  grouped: (count) => `${count} paths exist on one side only`,
  compare: () => [],
};

export interface RouteSetOptions {
  readonly candidate?: Side;
  readonly labels: SideLabels;
}

/** undefined when both sides have the same paths. */
export function routeSetFinding(
  left: readonly string[],
  right: readonly string[],
  { candidate = 'left', labels }: RouteSetOptions,
): Finding | undefined {
  const differences = oneSidedDifferences(sortedSet(left), sortedSet(right), (path, side) => ({
    section: 'routes',
    severity: 'warn',
    direction: weakerSide(otherSide(side)),
    message: `${path} is missing on ${NAME[otherSide(side)]}`,
  }));
  if (differences.length === 0) return undefined;
  const group = differences.map((difference) => ({ difference, noisy: false, ignored: false }));
  const scope = { route: '*', path: '*', candidate, labels, truncated: [] };
  return makeFinding(group, { rule: routeSetDrift, verified: true }, scope);
}
