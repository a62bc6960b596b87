/**
 * Runs every rule over the samples of two sides and turns the differences into findings. A rule that throws becomes an
 * error result; the others still run.
 */
import type { EnvDiff } from './env-diff.js';
import { byCodeUnit } from './fields/code-unit-order.js';
import type { Finding } from './finding.js';
import { CATEGORY_ORDER } from './finding-codes.js';
import type { IgnoreDecision } from './ignore-rules.js';
import { type JudgedSample, SampleJudge, type Sides } from './judge-samples.js';
import { type FindingScope, type JudgedDifference, makeFinding, severityFor } from './make-finding.js';
import type { Rule } from './rule.js';
import { compareSeverity } from './severity.js';

export interface RuleRun extends Omit<Sides, 'candidate'> {
  readonly scope: FindingScope;
  readonly isIgnored: IgnoreDecision;
}

export interface RuleResults {
  readonly findings: readonly Finding[];
  readonly errors: EnvDiff['ruleErrors'];
  /** A side varies in something that counts, so more samples may change the result. */
  readonly unsettled: boolean;
}

/** Differences that are judged at a time, each against up to all ignore rules. */
const JUDGED_PER_STEP = 16;

/** Yields after each rule, after some judged differences, and after each sample that a rule compares. */
export function* runRules(rules: readonly Rule[], run: RuleRun): Generator<void, RuleResults> {
  const findings = new Map<string, Finding>();
  const errors: EnvDiff['ruleErrors'][number][] = [];
  const judge = new SampleJudge({ ...run, candidate: run.scope.candidate });
  let unsettled = false;
  for (const rule of rules) {
    try {
      const found = yield* judge.judge(rule);
      if (found && found.differences.length > 0) {
        const differences = yield* withIgnored(rule, found.differences, run.isIgnored);
        for (const finding of findingsOf(differences, { rule, verified: found.verified }, run.scope)) {
          if (!findings.has(finding.id)) findings.set(finding.id, finding);
        }
        unsettled ||= differences.some((one) => isUnsettled(one, rule, run.scope));
      }
    } catch (thrown) {
      errors.push({ code: rule.code, message: thrown instanceof Error ? thrown.message : String(thrown) });
    }
    yield;
  }
  return { findings: [...findings.values()].sort(worstFirst), errors, unsettled };
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

function* withIgnored(
  { code }: Rule,
  found: readonly JudgedSample[],
  isIgnored: IgnoreDecision,
): Generator<void, readonly JudgedDifference[]> {
  const judged: JudgedDifference[] = [];
  for (const one of found) {
    if (judged.length % JUDGED_PER_STEP === JUDGED_PER_STEP - 1) yield;
    judged.push({ ...one, ignored: isIgnored(code, one.difference) });
  }
  return judged;
}

function findingsOf(
  judged: readonly JudgedDifference[],
  outcome: { readonly rule: Rule; readonly verified: boolean },
  scope: FindingScope,
): readonly Finding[] {
  if (outcome.rule.grouped) return [makeFinding(judged, outcome, scope)];
  return judged.map((one) => makeFinding([one], outcome, scope));
}

function isUnsettled(
  { difference, varies, ignored }: JudgedDifference,
  rule: Rule,
  { candidate }: FindingScope,
): boolean {
  return varies === true && !ignored && severityFor(difference, rule, candidate) !== 'info';
}
