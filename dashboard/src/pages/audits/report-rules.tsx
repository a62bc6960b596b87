/**
 * Failed rules, expanded; then those with warnings; rules that passed or do not apply are collapsed, with their count.
 */
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { AuditIssue, AuditReport, AuditRuleResult } from '../../api/types';
import { withParam } from '../../search';
import { SearchField } from '../../ui/filters';
import { State, type Tone } from '../../ui/mark';
import { Panel } from '../../ui/page';
import { Empty } from '../../ui/states';
import { count } from '../../ui/time';

/** Places of one rule that are drawn at once; the rest opens on demand. */
const ISSUES_SHOWN = 50;

const GROUPS: readonly (readonly [string, readonly AuditRuleResult['status'][], boolean])[] = [
  ['Failed', ['fail'], true],
  ['Warnings', ['warn'], true],
  ['Not measured', ['not-measured', 'error'], false],
  ['Passed', ['pass'], false],
  ['Does not apply', ['not-applicable', 'hidden'], false],
];

export function ReportRules({ report }: { report: AuditReport }) {
  const { q = '' } = useSearch({ from: '/shell/audits/$id' });
  const navigate = useNavigate({ from: '/audits/$id' });
  const needle = q.toLowerCase();
  const rules = titledRules(report).filter(({ id, title, category, categoryTitle }) =>
    `${id} ${title} ${category} ${categoryTitle}`.toLowerCase().includes(needle),
  );
  return (
    <>
      <div className="filters">
        <SearchField
          label="Filter rules"
          value={q}
          onChange={(value) =>
            void navigate({ search: withParam('q', value), replace: true, resetScroll: false })
          }
        />
      </div>
      {rules.length === 0 ? <Empty title={`No rule matches “${q}”`} /> : null}
      {GROUPS.map(([title, statuses, open]) => (
        <RuleGroup
          key={title}
          title={title}
          open={open}
          rules={rules.filter(({ status }) => statuses.includes(status))}
        />
      ))}
    </>
  );
}

interface TitledRule extends AuditRuleResult {
  readonly categoryTitle: string;
}

function titledRules({ rules, categories }: AuditReport): readonly TitledRule[] {
  const titles = new Map(categories.map(({ category, title }) => [category, title]));
  return rules.map((rule) => ({ ...rule, categoryTitle: titles.get(rule.category) ?? rule.category }));
}

interface RuleGroupProps {
  readonly title: string;
  readonly open: boolean;
  readonly rules: readonly TitledRule[];
}

function RuleGroup({ title, open, rules }: RuleGroupProps) {
  if (rules.length === 0) return null;
  const heavy = [...rules].sort((a, b) => b.weight - a.weight || b.issueCount - a.issueCount);
  const list = (
    <ul className="rules">
      {heavy.map((rule) => (
        <li key={rule.id}>
          <Rule rule={rule} />
        </li>
      ))}
    </ul>
  );
  if (open) return <Panel title={`${title} (${rules.length})`}>{list}</Panel>;
  return (
    <details className="panel fold">
      <summary>
        {title} ({rules.length})
      </summary>
      {list}
    </details>
  );
}

const TONES: Readonly<Record<AuditRuleResult['status'], Tone>> = {
  fail: 'critical',
  warn: 'warn',
  pass: 'pass',
  'not-applicable': 'muted',
  'not-measured': 'muted',
  error: 'muted',
  hidden: 'muted',
};

function Rule({ rule }: { rule: TitledRule }) {
  const selected = useSearch({ from: '/shell/audits/$id' }).rule === rule.id;
  const navigate = useNavigate({ from: '/audits/$id' });
  const remember = (open: boolean) => {
    if (open !== selected) {
      void navigate({
        search: withParam('rule', open ? rule.id : undefined),
        replace: true,
        resetScroll: false,
      });
    }
  };
  const found = rule.issueCount === 0 ? (rule.reason ?? 'nothing found') : count(rule.placeCount, 'place');
  if (rule.issueCount === 0) {
    return (
      <p className="rule-line">
        <State tone={TONES[rule.status]}>{rule.title}</State> <span className="muted small">{found}</span>
      </p>
    );
  }
  return (
    <details className="fold rule" open={selected} onToggle={(event) => remember(event.currentTarget.open)}>
      <summary>
        <State tone={TONES[rule.status]}>{rule.title}</State>{' '}
        <span className="muted small">
          {found} · {rule.categoryTitle}
        </span>
      </summary>
      <p>{rule.fix}</p>
      <Issues rule={rule} />
    </details>
  );
}

function Issues({ rule }: { rule: AuditRuleResult }) {
  const [first, rest] = [rule.issues.slice(0, ISSUES_SHOWN), rule.issues.slice(ISSUES_SHOWN)];
  return (
    <>
      <IssueList issues={first} />
      {rest.length > 0 ? (
        <details className="fold">
          <summary>{count(rest.length, 'more finding')}</summary>
          <IssueList issues={rest} />
        </details>
      ) : null}
      {rule.issueCount > rule.issues.length ? (
        <p className="small muted">
          The report keeps {rule.issues.length} of {rule.issueCount} findings of this rule.
        </p>
      ) : null}
    </>
  );
}

function IssueList({ issues }: { issues: readonly AuditIssue[] }) {
  return (
    <ul className="issues">
      {issues.map((issue, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two findings of a rule may be equal
        <li key={at}>
          <Place url={issue.url} line={issue.line} />
          <p>
            <span className="wire">{issue.observed}</span>{' '}
            <span className="muted">expected: {issue.expected}</span>
          </p>
          {issue.element ? <pre className="block">{issue.element}</pre> : null}
          {issue.also ? (
            <details className="fold">
              <summary>{count(issue.also.length, 'more place')}</summary>
              <ul>
                {issue.also.map(({ url, line }) => (
                  <li key={`${url} ${line}`}>
                    <Place url={url} line={line} />
                  </li>
                ))}
              </ul>
            </details>
          ) : null}
          {issue.related ? <p className="small wire">{issue.related.join('\n')}</p> : null}
        </li>
      ))}
    </ul>
  );
}

/** Shown as text: the audited site is untrusted, so its URLs are not links here. */
function Place({ url, line }: { url: string; line: number | undefined }) {
  return (
    <span className="wire place">
      {url}
      {line === undefined ? '' : `:${line}`}
    </span>
  );
}
