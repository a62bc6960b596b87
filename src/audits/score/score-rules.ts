/**
 * Computes the score from rule results (docs/decisions/audits.md, 0050). A failing rule costs its weight, reduced for a
 * warning or a hint, times its reach: the cube root of the share that fails, so that one page of 200 costs a sixth of
 * what all of them would. The remaining share is raised to the fourth power, because sites differ in the last quarter of the rules.
 * Then the gates and the grade are applied. Rules that are not applicable, not measured or failed with an error are
 * left out.
 */
import type { AuditReport, Gate, Grade, RuleResult } from '../report/audit-report.js';
import { CATEGORIES, CATEGORY_NAMES, type Severity } from '../rule.js';
import { GATE_RULES } from './gates.js';

/** What a score adds to a report. */
export type Score = Required<Pick<AuditReport, 'ungated' | 'categories' | 'afterFixes'>> & {
  readonly score: number;
  readonly grade: Grade;
};

const SEVERITY_COSTS: Readonly<Record<Severity, number>> = { error: 1, warn: 0.5, info: 0.15 };
const STEEPNESS = 4;
const FIXES_SHOWN = 3;

export function scoreRules(results: readonly RuleResult[], gates: readonly Gate[]): Score {
  const ungated = baseScore(results);
  const score = applyCaps(ungated, gates);
  return {
    score,
    grade: gradeOf(score),
    ungated,
    categories: CATEGORIES.map((category) => {
      const own = results.filter((result) => result.category === category);
      const weight = Math.round(sum(own, maxCost) * 10) / 10;
      return {
        category,
        title: CATEGORY_NAMES[category],
        score: weight === 0 ? null : baseScore(own),
        weight,
      };
    }),
    afterFixes: afterFixes(results, gates),
  };
}

export function gradeOf(score: number): Grade {
  if (score >= 90) return 'A';
  if (score >= 80) return 'B';
  if (score >= 70) return 'C';
  return score >= 60 ? 'D' : 'F';
}

/** What a result costs, in units of weight. */
export function costOf(result: RuleResult): number {
  return maxCost(result) * Math.cbrt(1 - (result.passRatio ?? 1));
}

/** What a rule costs if everything fails. */
function maxCost({ passRatio, weight, severity }: RuleResult): number {
  return passRatio === null ? 0 : weight * SEVERITY_COSTS[severity];
}

function afterFixes(results: readonly RuleResult[], gates: readonly Gate[]): Score['afterFixes'] {
  const gated = new Set(gates.map(({ id }) => GATE_RULES[id]));
  const worst = results
    .filter((result) => costOf(result) > 0)
    .sort(
      (left, right) =>
        Number(gated.has(right.id)) - Number(gated.has(left.id)) || costOf(right) - costOf(left),
    )
    .slice(0, FIXES_SHOWN);
  if (worst.length === 0) return null;
  const ids = new Set(worst.map(({ id }) => id));
  const fixed = results.map((result) => (ids.has(result.id) ? { ...result, passRatio: 1 } : result));
  const left = gates.filter(({ id }) => !ids.has(GATE_RULES[id]));
  return { score: applyCaps(baseScore(fixed), left), rules: [...ids] };
}

function applyCaps(score: number, gates: readonly Gate[]): number {
  return Math.min(score, ...gates.map(({ cap }) => cap));
}

/** Rounds half up. Sums of thirds and sevenths can end just below the half they stand for, hence `toFixed` first. */
function baseScore(results: readonly RuleResult[]): number {
  const most = sum(results, maxCost);
  const left = most === 0 ? 0 : 1 - sum(results, costOf) / most;
  return Math.floor(Number((left ** STEEPNESS * 100).toFixed(9)) + 0.5);
}

function sum(results: readonly RuleResult[], of: (result: RuleResult) => number): number {
  return results.reduce((total, result) => total + of(result), 0);
}
