/**
 * The explanation that is always available, computed from the findings with the table of causes and the rules' own
 * recommendations. The same diff always gives the same text.
 */
import { counts, diffSentence, type EnvDiff, type Finding } from '../compare/index.js';
import { CAUSES } from './causes.js';
import { type Action, type Cause, EXPLANATION_LIMITS, type Explanation } from './explanation.js';

export function explainDiff(diff: EnvDiff): Explanation {
  const counting = diff.findings.filter(counts);
  // Improvements of the candidate need neither a cause nor an action.
  const open = counting.filter(({ effect }) => effect !== 'improvement');
  const causes = causesOf(open);
  return {
    summary: summaryOf(diff, counting, causes),
    ranked_causes: causes,
    actions: actionsOf(open),
    notes: notesOf(diff),
  };
}

function causesOf(findings: readonly Finding[]): Cause[] {
  const unexplained = new Set(findings);
  const causes: Cause[] = [];
  for (const { cause, confidence, signs, explains = [] } of CAUSES) {
    const all = [...unexplained];
    if (!all.some(({ code }) => signs.includes(code))) continue;
    const taken = all.filter(({ code }) => signs.includes(code) || explains.includes(code));
    for (const finding of taken) unexplained.delete(finding);
    const evidence = taken.map(({ id }) => id).slice(0, EXPLANATION_LIMITS.evidence);
    causes.push({ cause, confidence, evidence });
  }
  return causes
    .filter(({ confidence }) => confidence >= CONFIDENCE_MIN)
    .toSorted((a, b) => b.confidence - a.confidence)
    .slice(0, EXPLANATION_LIMITS.causes);
}

/** Causes below this confidence are not shown. */
const CONFIDENCE_MIN = 0.6;

function summaryOf(diff: EnvDiff, counting: readonly Finding[], causes: readonly Cause[]): string {
  const parts = (['critical', 'warn', 'info'] as const).flatMap((severity) => {
    const count = counting.filter((finding) => finding.severity === severity).length;
    return count === 0 ? [] : [`${count} ${severity}`];
  });
  const counted = parts.length === 0 ? 'no findings' : `findings: ${parts.join(', ')}`;
  const reason = diff.verdict === 'inconclusive' ? diff.verdictReasons[0] : undefined;
  const [first] = causes;
  return [
    `${sentence(diffSentence(diff)).replace(/\.$/, '')} (${counted}).`,
    ...(reason === undefined ? [] : [sentence(reason)]),
    ...(first && diff.verdict !== 'pass' ? [`Likely cause: ${first.cause}`] : []),
  ].join(' ');
}

function sentence(text: string): string {
  const upper = `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
  return /[.!?]$/.test(upper) ? upper : `${upper}.`;
}

/** Worst first, each recommendation once, with the message of its first finding. */
function actionsOf(findings: readonly Finding[]): Action[] {
  const actions = new Map<string, Action>();
  for (const { recommendations, message } of findings) {
    for (const action of recommendations) {
      if (!actions.has(action)) actions.set(action, { action, why: message });
    }
  }
  return [...actions.values()].slice(0, EXPLANATION_LIMITS.actions);
}

function notesOf({ counts: tally, notices, ruleErrors }: EnvDiff): string[] {
  const aside = [
    [
      tally.noisy,
      'already differs within one side and does not count',
      'already differ within one side and do not count',
    ],
    [tally.suppressed, 'is ignored by --ignore rules', 'are ignored by --ignore rules'],
    [tally.known, 'is accepted in the baseline', 'are accepted in the baseline'],
    [tally.resolved, 'of the baseline no longer occurs', 'of the baseline no longer occur'],
  ] as const;
  return [
    ...aside.flatMap(([count, one, several]) => {
      if (count === 0) return [];
      return count === 1 ? [`1 finding ${one}.`] : [`${count} findings ${several}.`];
    }),
    ...notices.map(({ message }) => sentence(message)),
    ...ruleErrors.map(({ code }) => `Rule ${code} failed to run; its findings are missing.`),
  ].slice(0, EXPLANATION_LIMITS.notes);
}
