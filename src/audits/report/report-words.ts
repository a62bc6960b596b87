/** How reports put things: names of categories, severities with a word and a shape, rules in the order to read them. */
import type { Category, Severity } from '../rule.js';
import type { RuleResult } from '../run-rules.js';
import type { Gate } from '../score/gates.js';
import type { AuditReport } from './audit-report.js';

export const CATEGORY_NAMES: Readonly<Record<Category, string>> = {
  crawl: 'Crawling',
  index: 'Indexing',
  content: 'Content',
  links: 'Links',
  schema: 'Structured data',
  social: 'Social previews',
  i18n: 'Languages',
  mobile: 'Mobile',
  perf: 'Performance',
  security: 'Security',
  ai: 'AI access',
};

export const SEVERITIES: readonly {
  readonly severity: Severity;
  readonly name: string;
  readonly shape: string;
}[] = [
  { severity: 'error', name: 'Errors', shape: '■' },
  { severity: 'warn', name: 'Warnings', shape: '▲' },
  { severity: 'info', name: 'Hints', shape: '●' },
];

const GATE_SENTENCES: Readonly<Record<Gate['id'], string>> = {
  'home-status': 'The home page does not answer 200',
  'home-noindex': 'The home page asks not to be indexed',
  'home-blocked': 'robots.txt blocks the home page',
  'server-error': 'The site answers with a server error',
  'tls-failure': 'A TLS connection to the site fails',
};

export function gateSentence({ id, cap, observed }: Gate): string {
  return `${GATE_SENTENCES[id]} (${observed}): the score is capped at ${cap}.`;
}

/** Findings of one severity, the heaviest first. */
export function findingsOf(report: AuditReport, severity: Severity): RuleResult[] {
  return report.rules
    .filter((rule) => rule.severity === severity && (rule.status === 'fail' || rule.status === 'warn'))
    .sort(
      (left, right) =>
        right.weight * (1 - (right.passRatio ?? 1)) - left.weight * (1 - (left.passRatio ?? 1)),
    );
}

export function verdictSentence({ counts, gates }: AuditReport): string {
  const findings = counts.failed + counts.warned;
  if (findings === 0) return `All ${counts.passed} rules that apply pass.`;
  const capped = gates.length > 0 ? ' The score is capped.' : '';
  const [rules, have] = findings === 1 ? ['rule', 'has'] : ['rules', 'have'];
  return `${findings} of ${findings + counts.passed} ${rules} that apply ${have} findings: ${plural(counts.issues, 'issue')} on ${plural(counts.pages, 'page')}.${capped}`;
}

/** Where a rule's findings are, in words. */
export function reachOf({ pages, issueCount }: RuleResult): string {
  if (!pages) return plural(issueCount, 'finding');
  return `${pages.failed + pages.warned} of ${plural(pages.applicable, 'page')}`;
}

export function plural(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}
