/** Decides which findings are shown, and in which groups. Pure: the URL holds the whole filter. */
import type { Finding } from '../../api/types';

export interface FindingFilter {
  readonly sev?: string;
  readonly q?: string;
  readonly noise?: string;
  readonly accepted?: string;
  readonly effects?: string;
}

export type FindingGroup = 'counted' | 'effect' | 'noise' | 'accepted';

export type ListItem =
  | { readonly kind: 'head'; readonly title: string; readonly count: number }
  | { readonly kind: 'finding'; readonly finding: Finding; readonly effect: boolean };

const SEVERITIES = [
  ['critical', 'Critical'],
  ['warn', 'Warnings'],
  ['info', 'Information'],
] as const;

export function groupOf({ status, stability, explainedBy }: Finding): FindingGroup {
  if (status === 'known' || status === 'suppressed' || status === 'resolved') return 'accepted';
  if (stability === 'noisy') return 'noise';
  return explainedBy === undefined ? 'counted' : 'effect';
}

/** Only a finding that counts for the verdict can be accepted: not info, and not a failed measurement. */
export function isAcceptable(finding: Finding): boolean {
  const { severity, category } = finding;
  return groupOf(finding) === 'counted' && severity !== 'info' && category !== 'reliability';
}

/** All words must occur; `code:x` selects a code, and a leading minus hides what matches. */
export function matches(finding: Finding, q: string): boolean {
  const text = `${finding.code} ${finding.message} ${finding.id}`.toLowerCase();
  return q
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '' && word !== '-')
    .every((word) => {
      const hides = word.startsWith('-');
      const term = hides ? word.slice(1) : word;
      const found = term.startsWith('code:')
        ? finding.code.toLowerCase() === term.slice(5)
        : text.includes(term);
      return found !== hides;
    });
}

/** Worst first; if requested, each finding is followed by its effects. */
export function listItems(findings: readonly Finding[], filter: FindingFilter): readonly ListItem[] {
  const kept = findings.filter(
    (finding) =>
      (filter.sev === undefined || finding.severity === filter.sev) && matches(finding, filter.q ?? ''),
  );
  const inGroup = (group: FindingGroup) => kept.filter((finding) => groupOf(finding) === group);
  const effects = filter.effects === '1' ? inGroup('effect') : [];
  const items: ListItem[] = [];
  for (const [severity, title] of SEVERITIES) {
    const own = inGroup('counted').filter((finding) => finding.severity === severity);
    items.push(...withHead(title, own, effects));
  }
  const causes = new Set(items.map((item) => (item.kind === 'finding' ? item.finding.id : '')));
  const orphans = effects.filter(({ explainedBy = '' }) => !causes.has(explainedBy));
  items.push(...withHead('Effects of other findings', orphans, []));
  if (filter.accepted === '1') items.push(...withHead('Accepted or gone', inGroup('accepted'), []));
  if (filter.noise === '1') items.push(...withHead('Noise: differs within one side', inGroup('noise'), []));
  return items;
}

function withHead(title: string, own: readonly Finding[], effects: readonly Finding[]): readonly ListItem[] {
  if (own.length === 0) return [];
  return [
    { kind: 'head', title, count: own.length },
    ...own.flatMap((finding): readonly ListItem[] => [
      { kind: 'finding', finding, effect: false },
      ...effects
        .filter(({ explainedBy }) => explainedBy === finding.id)
        .map((effect): ListItem => ({ kind: 'finding', finding: effect, effect: true })),
    ]),
  ];
}

export function countsOf(findings: readonly Finding[]): Readonly<Record<FindingGroup, number>> {
  const counts = { counted: 0, effect: 0, noise: 0, accepted: 0 };
  for (const finding of findings) counts[groupOf(finding)] += 1;
  return counts;
}
