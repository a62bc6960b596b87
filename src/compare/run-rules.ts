/**
 * Runs every rule over two sides and turns the differences into findings.
 *
 * A rule runs if both sides observed its inputs. A difference that it also finds between two samples of one side is
 * noise. Only rules that fired are checked for noise, and noise is matched by section and key, so that a value that
 * changes in every response does not hide a real change next to it. A rule that throws becomes an error result; the
 * others still run.
 */
import type { RuleError } from './env-diff.js';
import { byCodeUnit } from './fields/code-unit-order.js';
import { compareSeverity, type Finding } from './finding.js';
import { CATEGORY_ORDER } from './finding-codes.js';
import type { IgnoreDecision } from './ignore-rules.js';
import { type FindingScope, type JudgedDifference, makeFinding } from './make-finding.js';
import type { Difference, Found, Rule, RuleContext } from './rule.js';
import type { SampleView } from './sample-view.js';

export interface Sides {
  readonly left: SampleView;
  readonly right: SampleView;
  readonly context: RuleContext;
  readonly scope: FindingScope;
  readonly isIgnored: IgnoreDecision;
}

export interface RuleResults {
  readonly findings: readonly Finding[];
  readonly errors: readonly RuleError[];
}

/** Differences that are judged at a time, each against up to all ignore rules. */
const JUDGED_PER_STEP = 16;

/** Yields after each rule, after some judged differences, and after each sample that a rule compares. */
export function* runRules(rules: readonly Rule[], sides: Sides): Generator<void, RuleResults> {
  const findings = new Map<string, Finding>();
  const errors: RuleError[] = [];
  for (const rule of rules) {
    if (!observes(rule, sides.left) || !observes(rule, sides.right)) continue;
    try {
      for (const finding of yield* findingsOf(rule, sides)) {
        if (!findings.has(finding.id)) findings.set(finding.id, finding);
      }
    } catch (thrown) {
      errors.push({ code: rule.code, message: thrown instanceof Error ? thrown.message : String(thrown) });
    }
    yield;
  }
  return { findings: [...findings.values()].sort(worstFirst), errors };
}

/** By severity, then causes before their effects: reachability, routing and login before headers and bodies. */
export function worstFirst(a: Finding, b: Finding): number {
  return (
    compareSeverity(b.severity, a.severity) ||
    CATEGORY_ORDER.indexOf(a.category) - CATEGORY_ORDER.indexOf(b.category) ||
    byCodeUnit(a.code, b.code) ||
    byCodeUnit(a.id, b.id)
  );
}

function observes({ inputs }: Rule, view: SampleView): boolean {
  return inputs.every((section) => view.covers(section));
}

function* findingsOf(rule: Rule, sides: Sides): Generator<void, readonly Finding[]> {
  const { left, right, context, scope } = sides;
  const differences = listOf(rule.compare(left, right, context));
  if (differences.length === 0) return [];
  const noise = rule.sampled ? undefined : yield* noiseOf(rule, sides, differences);
  const judged: JudgedDifference[] = [];
  for (const difference of differences) {
    if (judged.length % JUDGED_PER_STEP === JUDGED_PER_STEP - 1) yield;
    judged.push({
      difference,
      noisy: noise?.keys.has(noiseKey(difference)) ?? false,
      ignored: sides.isIgnored(rule.code, difference),
    });
  }
  const verified = noise ? noise.compared > 0 : allSampled(context);
  if (rule.grouped) return [makeFinding(judged, { rule, verified }, scope)];
  return judged.map((one) => makeFinding([one], { rule, verified }, scope));
}

function listOf(found: Found): readonly Difference[] {
  if (!found) return [];
  return 'length' in found ? found : [found];
}

function allSampled({ samples }: RuleContext): boolean {
  return samples.left.length > 1 && samples.right.length > 1;
}

function noiseKey({ section, key }: Difference): string {
  return `${section} ${key}`;
}

interface Noise {
  readonly keys: ReadonlySet<string>;
  /** Pairs of samples that the rule could compare. */
  readonly compared: number;
}

/** Differences that the rule finds between samples of the same side; nearly always none. */
function* noiseOf(
  rule: Rule,
  { left, right, context }: Sides,
  differences: readonly Difference[],
): Generator<void, Noise> {
  const keys = new Set<string>();
  let compared = 0;
  for (const first of [left, right]) {
    for (const sample of context.samples[first.side]) {
      if (sample === first || sample.error || !observes(rule, sample)) continue;
      compared++;
      yield;
      for (const difference of listOf(rule.compare(first, sample, context))) keys.add(noiseKey(difference));
      // Once everything that was found is known to be noise, no further sample can add anything.
      if (differences.every((difference) => keys.has(noiseKey(difference)))) return { keys, compared };
    }
  }
  return { keys, compared };
}
