/**
 * Runs rules over two sides and makes findings of what they say.
 *
 * A rule is heard only where both sides observed its inputs and something it reads differs. What it also says of two samples of one side is
 * noise: that is asked only of rules that fired, and told apart by section and key, so a rotating header does
 * not hide a real change beside it. A rule that throws becomes an error result; the others go on.
 */
import type { RuleError } from './env-diff.js';
import { byCodeUnit } from './fields/code-unit-order.js';
import { compareSeverity, type Finding } from './finding.js';
import type { FindingCode } from './finding-codes.js';
import type { TextHash } from './fingerprint.js';
import { makeFinding } from './make-finding.js';
import type { HeaderChanges } from './pair-changes.js';
import { type PreparedRule, preparedRules, readsAlike } from './prepared-rules.js';
import type { Difference, Rule, RuleContext } from './rule.js';
import type { SampleView } from './sample-view.js';

export interface Sides {
  readonly left: SampleView;
  readonly right: SampleView;
  readonly changes: HeaderChanges;
  readonly context: RuleContext;
  readonly route: string;
  readonly hash: TextHash | undefined;
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

function findingsOf(prepared: PreparedRule, sides: Sides, truncated: string[]): readonly Finding[] {
  const { rule } = prepared;
  const { left, right, context } = sides;
  const differences = rule.compare(left, right, context);
  if (differences.length === 0) return NOTHING;
  const noise = rule.sampled ? undefined : noiseOf(prepared, sides, differences);
  const judged = differences.map((difference) => ({
    difference,
    noisy: noise !== undefined && noise.keys.size > 0 && noise.keys.has(noiseKey(difference)),
    ignored: sides.isIgnored(rule.code, difference),
  }));
  const verified = rule.sampled ? allSampled(context) : (noise?.compared ?? 0) > 0;
  const facts = { rule, verified, route: sides.route, hash: sides.hash, truncated };
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

interface Noise {
  readonly keys: ReadonlySet<string>;
  /** Pairs of samples that the rule could look at. */
  readonly compared: number;
}

/** What the rule says of samples of one side, over both sides: nearly always nothing. */
function noiseOf(prepared: PreparedRule, sides: Sides, differences: readonly Difference[]): Noise {
  const { left, right, context } = sides;
  const { protectedSide, samples, pinned } = context;
  const asked: RuleContext = { protectedSide, samples, pinned, found: differences };
  const keys = new Set<string>();
  let compared = 0;
  for (const first of [left, right]) {
    for (const sample of samples[first.side]) {
      if (sample === first || !isComparable(prepared, first, sample)) continue;
      compared++;
      if (readsAlike(prepared, first, sample)) continue;
      for (const difference of prepared.rule.compare(first, sample, asked)) keys.add(noiseKey(difference));
      // Once all that was found is known to be noise, no further sample can say more.
      if (differences.every((difference) => keys.has(noiseKey(difference)))) return { keys, compared };
    }
  }
  return { keys, compared };
}

function isComparable({ needed }: PreparedRule, first: SampleView, sample: SampleView): boolean {
  return !sample.error && (first.coverage & sample.coverage & needed) === needed;
}
