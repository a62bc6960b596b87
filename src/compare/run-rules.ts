/**
 * Runs rules over two sides and makes findings of what they say.
 *
 * A rule is heard only where both sides observed its inputs and something it reads differs. What it also says of two samples of one side is
 * noise: that is asked only of rules that fired, and told apart by section and key, so a rotating header does
 * not hide a real change beside it. A rule that throws becomes an error result; the others go on.
 */
import { sameText } from './compare-headers.js';
import type { RuleError } from './env-diff.js';
import { byCodeUnit } from './fields/code-unit-order.js';
import { compareSeverity, type Finding } from './finding.js';
import type { FindingCode } from './finding-codes.js';
import { makeFinding } from './make-finding.js';
import type { HeaderChanges } from './pair-changes.js';
import { type PreparedRule, preparedRules } from './prepared-rules.js';
import type { Difference, Rule, RuleContext } from './rule.js';
import type { SampleView } from './sample-view.js';

export interface Sides {
  readonly left: SampleView;
  readonly right: SampleView;
  readonly changes: HeaderChanges;
  readonly context: RuleContext;
  readonly route: string;
  /** Whether someone said that this difference does not matter. */
  readonly isIgnored: (code: FindingCode, difference: Difference) => boolean;
}

export interface RuleResults {
  readonly findings: readonly Finding[];
  readonly errors: readonly RuleError[];
  /** Ids of findings that show less evidence than there is. */
  readonly truncated: readonly string[];
}

export function runRules(rules: readonly Rule[], sides: Sides): RuleResults {
  const findings = new Map<string, Finding>();
  const errors: RuleError[] = [];
  const truncated: string[] = [];
  for (const prepared of preparedRules(rules).asked(sides.left, sides.right, sides.changes)) {
    try {
      for (const finding of findingsOf(prepared, sides, truncated)) {
        if (!findings.has(finding.id)) findings.set(finding.id, finding);
      }
    } catch (thrown) {
      const { code } = prepared.rule;
      errors.push({ code, message: thrown instanceof Error ? thrown.message : String(thrown) });
    }
  }
  return { findings: [...findings.values()].sort(worstFirst), errors, truncated };
}

export function worstFirst(a: Finding, b: Finding): number {
  return compareSeverity(b.severity, a.severity) || byCodeUnit(a.code, b.code) || byCodeUnit(a.id, b.id);
}

function findingsOf({ rule, needed }: PreparedRule, sides: Sides, truncated: string[]): readonly Finding[] {
  const { left, right, context } = sides;
  const differences = rule.compare(left, right, context);
  if (differences.length === 0) return NOTHING;
  const noise = rule.sampled ? undefined : noiseOf({ rule, needed }, sides, differences);
  const judged = differences.map((difference) => ({
    difference,
    noisy: noise?.keys?.has(noiseKey(difference)) ?? false,
    ignored: sides.isIgnored(rule.code, difference),
  }));
  const verified = rule.sampled ? allSampled(context) : (noise?.compared ?? 0) > 0;
  const facts = { rule, verified, route: sides.route, truncated };
  if (rule.grouped) return [makeFinding(judged, facts)];
  return judged.map((one) => makeFinding([one], facts));
}

const NOTHING: readonly Finding[] = [];

function allSampled({ samples }: RuleContext): boolean {
  return samples.left.length > 1 && samples.right.length > 1;
}

function noiseKey({ section, key }: Difference): string {
  return `${section} ${key}`;
}

/**
 * What the rule says of samples of one side, over both sides: nearly always nothing. `compared` counts the pairs
 * it could look at.
 */
function noiseOf(
  { rule, needed }: Pick<PreparedRule, 'rule' | 'needed'>,
  { left, right, context }: Sides,
  differences: readonly Difference[],
): { keys: Set<string> | undefined; compared: number } {
  let keys: Set<string> | undefined;
  const asked: RuleContext = {
    protectedSide: context.protectedSide,
    samples: context.samples,
    pinned: context.pinned,
    found: differences,
  };
  let compared = 0;
  for (const first of [left, right]) {
    for (const sample of context.samples[first.side]) {
      if (sample === first || sample.error) continue;
      if ((first.coverage & sample.coverage & needed) !== needed) continue;
      compared++;
      if (!rule.parts && rule.reads?.every((name) => sameText(first, sample, name))) continue;
      for (const difference of rule.compare(first, sample, asked)) {
        keys ??= new Set();
        keys.add(noiseKey(difference));
      }
    }
  }
  return { keys, compared };
}
