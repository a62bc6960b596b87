/**
 * The explanation that is always there: made from the findings alone, by the table of causes and the rules' own
 * recommendations. The same diff gives the same text.
 */
import { compareSeverity, type EnvDiff, type Finding } from '../compare/index.js';
import { CATEGORY_CAUSES, CATEGORY_CONFIDENCE, CAUSES } from './causes.js';
import { type Action, type Cause, EXPLANATION_LIMITS, type Explanation } from './explanation.js';

export function explainDiff(diff: EnvDiff): Explanation {
  const counting = diff.findings.filter(({ stability, status }) => stability !== 'noisy' && status === 'new');
  const causes = causesOf(counting);
  return {
    summary: summaryOf(diff, counting, causes),
    ranked_causes: causes,
    actions: actionsOf(counting),
    notes: notesOf(diff),
  };
}

function causesOf(findings: readonly Finding[]): Cause[] {
  const left = new Set(findings);
  const causes: { cause: Cause; worst: Finding }[] = [];
  const take = (cause: string, confidence: number, taken: readonly Finding[]): void => {
    const [worst] = taken.toSorted((a, b) => compareSeverity(b.severity, a.severity));
    if (!worst) return;
    for (const finding of taken) left.delete(finding);
    const evidence = taken.map(({ id }) => id).slice(0, EXPLANATION_LIMITS.evidence);
    causes.push({ cause: { cause, confidence, evidence }, worst });
  };
  for (const { cause, confidence, signs, explains = [] } of CAUSES) {
    const all = [...left];
    if (!all.some(({ code }) => signs.includes(code))) continue;
    take(
      cause,
      confidence,
      all.filter(({ code }) => signs.includes(code) || explains.includes(code)),
    );
  }
  for (const category of Object.keys(CATEGORY_CAUSES) as (keyof typeof CATEGORY_CAUSES)[]) {
    take(
      CATEGORY_CAUSES[category],
      CATEGORY_CONFIDENCE,
      [...left].filter((finding) => finding.category === category),
    );
  }
  return causes
    .toSorted(
      (a, b) =>
        compareSeverity(b.worst.severity, a.worst.severity) || b.cause.confidence - a.cause.confidence,
    )
    .map(({ cause }) => cause)
    .slice(0, EXPLANATION_LIMITS.causes);
}

const VERDICTS: Readonly<Record<EnvDiff['verdict'], string>> = {
  pass: 'The two sides match',
  warn: 'The two sides differ in ways worth a look',
  fail: 'The two sides differ in ways that matter',
  inconclusive: 'The comparison does not allow a judgement',
};

function summaryOf(diff: EnvDiff, counting: readonly Finding[], causes: readonly Cause[]): string {
  const parts = (['critical', 'warn', 'info'] as const).flatMap((severity) => {
    const count = counting.filter((finding) => finding.severity === severity).length;
    return count === 0 ? [] : [`${count} ${severity}`];
  });
  const counted = parts.length === 0 ? 'no finding counts' : `findings: ${parts.join(', ')}`;
  const reason = diff.verdict === 'inconclusive' ? diff.verdictReasons[0] : undefined;
  const [first] = causes;
  return [
    `${VERDICTS[diff.verdict]} (${counted}).`,
    ...(reason === undefined ? [] : [sentence(reason)]),
    ...(first && diff.verdict !== 'pass' ? [`Likeliest cause: ${first.cause}`] : []),
  ].join(' ');
}

function sentence(text: string): string {
  const upper = `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
  return /[.!?]$/.test(upper) ? upper : `${upper}.`;
}

/** Worst first, each recommendation once, with the finding that asks for it. */
function actionsOf(findings: readonly Finding[]): Action[] {
  const actions = new Map<string, Action>();
  for (const { recommendations, message } of findings) {
    for (const action of recommendations) {
      if (!actions.has(action)) actions.set(action, { action, why: message });
    }
  }
  return [...actions.values()].slice(0, EXPLANATION_LIMITS.actions);
}

function notesOf({ counts, notices, ruleErrors }: EnvDiff): string[] {
  const aside = [
    [counts.noisy, 'differ within one side already and do not count'],
    [counts.suppressed, 'are ignored by rule'],
    [counts.known, 'are known from the baseline'],
    [counts.resolved, 'of the baseline no longer occur'],
  ] as const;
  return [
    ...aside.flatMap(([count, what]) => (count === 0 ? [] : [`${count} findings ${what}.`])),
    ...notices.map(({ message }) => sentence(message)),
    ...ruleErrors.map(({ code }) => `The rule ${code} failed; its findings are missing.`),
  ].slice(0, EXPLANATION_LIMITS.notes);
}
