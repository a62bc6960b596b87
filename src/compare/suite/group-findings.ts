/**
 * Groups the findings of a suite across its paths: a difference that a template or server causes on every path is one
 * group. The most severe groups come first, then those on few paths, since a rare failure is easily missed. Only
 * findings that count form groups; findings that they explain are listed with their group.
 */
import type { EnvDiff } from '../env-diff.js';
import { byCodeUnit } from '../fields/code-unit-order.js';
import type { Effect, Finding } from '../finding.js';
import { CATEGORY_ORDER, type FindingCode } from '../finding-codes.js';
import { counts } from '../judge-verdict.js';
import { RULES } from '../rules/index.js';
import { compareSeverity, type Severity } from '../severity.js';

export interface FindingGroup {
  readonly code: FindingCode;
  readonly severity: Severity;
  readonly effect: Effect;
  readonly title: string;
  /** The message if all findings have the same one; otherwise the title and an example. */
  readonly message: string;
  /** Paths with the finding, in the order of the suite, each once. */
  readonly paths: readonly string[];
  /** All paths of the suite. */
  readonly of: number;
  /** One of the findings, for values and evidence. */
  readonly example: Finding;
  /** Different messages among the findings. */
  readonly variants: number;
  /** What these findings explain, by code, with the number of paths; most frequent first. */
  readonly also: readonly { readonly code: FindingCode; readonly count: number }[];
}

export interface GroupedPair {
  readonly name: string;
  readonly diff: Pick<EnvDiff, 'findings'>;
}

interface Draft {
  readonly findings: {
    readonly name: string;
    readonly finding: Finding;
    readonly effects: readonly Finding[];
  }[];
}

export function groupFindings(pairs: readonly GroupedPair[]): readonly FindingGroup[] {
  const drafts = new Map<string, Draft>();
  for (const { name, diff } of pairs) {
    for (const finding of diff.findings.filter(counts)) {
      const key = groupKey(finding);
      const draft = drafts.get(key) ?? { findings: [] };
      drafts.set(key, draft);
      const effects = diff.findings.filter(({ explainedBy }) => explainedBy === finding.id);
      draft.findings.push({ name, finding, effects });
    }
  }
  return [...drafts.values()].map((draft) => groupOf(draft, pairs.length)).sort(worstAndRarestFirst);
}

const RULE_BY_CODE = new Map(RULES.map((rule) => [rule.code, rule]));

export function titleOf(code: FindingCode): string {
  return RULE_BY_CODE.get(code)?.title ?? code;
}

/** Same code, severity and effect; for rules that report each item separately, also the same item. */
function groupKey({ code, severity, effect, id, left_value, right_value }: Finding): string {
  const grouped = RULE_BY_CODE.get(code)?.grouped !== undefined;
  const status = code === 'STATUS_MISMATCH' ? `${left_value} ${right_value}` : '';
  return [code, severity, effect, grouped ? '' : id, status].join('\n');
}

function groupOf({ findings }: Draft, of: number): FindingGroup {
  const [first] = findings;
  if (!first) throw new Error('a group has a finding');
  const { finding: example } = first;
  const { code, severity, effect } = example;
  const messages = new Set(findings.map(({ finding }) => finding.message));
  const title = titleOf(code);
  return {
    code,
    severity,
    effect,
    title,
    message: messages.size === 1 ? example.message : `${title} (for example: ${example.message})`,
    paths: [...new Set(findings.map(({ name }) => name))],
    of,
    example,
    variants: messages.size,
    also: alsoOf(findings),
  };
}

function alsoOf(findings: Draft['findings']): FindingGroup['also'] {
  const seen = new Map<FindingCode, number>();
  for (const { effects } of findings) {
    for (const { code } of effects) seen.set(code, (seen.get(code) ?? 0) + 1);
  }
  return [...seen]
    .map(([code, count]) => ({ code, count }))
    .sort((a, b) => b.count - a.count || byCodeUnit(a.code, b.code));
}

function worstAndRarestFirst(a: FindingGroup, b: FindingGroup): number {
  return (
    compareSeverity(b.severity, a.severity) ||
    a.paths.length - b.paths.length ||
    CATEGORY_ORDER.indexOf(a.example.category) - CATEGORY_ORDER.indexOf(b.example.category) ||
    byCodeUnit(a.code, b.code) ||
    byCodeUnit(a.example.id, b.example.id)
  );
}
