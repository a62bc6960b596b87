/**
 * From rule results to a score. A rule's pass ratio is the passing share of its applicable pages, or 0 or 1
 * for the site, half for a warning. A category weighs what its scored rules weigh; rules that are not
 * applicable, not measured or broken are left out. Overall × 100, half up, then the gates, then the grade.
 */
import { CATEGORIES, type Category } from '../rule.js';
import type { RuleResult } from '../run-rules.js';
import type { Gate } from './gates.js';

export type Grade = 'A' | 'B' | 'C' | 'D' | 'F';

export interface CategoryScore {
  readonly category: Category;
  /** 0 to 100; null where no rule of it was scored. */
  readonly score: number | null;
  /** The sum of its scored rules' weights. */
  readonly weight: number;
}

export interface Score {
  readonly score: number;
  readonly grade: Grade;
  /** Before the gates. */
  readonly ungated: number;
  readonly categories: readonly CategoryScore[];
}

export function scoreRules(results: readonly RuleResult[], gates: readonly Gate[]): Score {
  const ungated = hundred(ratioOf(results) ?? 0);
  const score = Math.min(ungated, ...gates.map(({ cap }) => cap));
  return {
    score,
    grade: gradeOf(score),
    ungated,
    categories: CATEGORIES.map((category) => {
      const own = results.filter((result) => result.category === category);
      const ratio = ratioOf(own);
      return { category, score: ratio === null ? null : hundred(ratio), weight: weightOf(own) };
    }),
  };
}

export function gradeOf(score: number): Grade {
  if (score >= 90) return 'A';
  if (score >= 80) return 'B';
  if (score >= 70) return 'C';
  return score >= 60 ? 'D' : 'F';
}

function weightOf(results: readonly RuleResult[]): number {
  return results.reduce((sum, { passRatio, weight }) => sum + (passRatio === null ? 0 : weight), 0);
}

function ratioOf(results: readonly RuleResult[]): number | null {
  const weight = weightOf(results);
  if (weight === 0) return null;
  return results.reduce((sum, { passRatio, weight: own }) => sum + (passRatio ?? 0) * own, 0) / weight;
}

/** Half up. Sums of thirds and sevenths end a hair below the half they mean, hence the rounding before. */
function hundred(ratio: number): number {
  return Math.floor(Number((ratio * 100).toFixed(9)) + 0.5);
}
