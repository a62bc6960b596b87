/** The report of a finished audit: the score first, then causes with every place, then the pages. */
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { reportQuery } from '../../api/audits';
import type { Audit, AuditReport } from '../../api/types';
import { withParam } from '../../search';
import { Tabs } from '../../ui/filters';
import { Facts } from '../../ui/page';
import { Loaded, Loading } from '../../ui/states';
import { count } from '../../ui/time';
import { ReportPages } from './report-pages';
import { ReportRules } from './report-rules';
import { ScoreDial } from './score';

const AuditChanges = lazy(async () => ({ default: (await import('./audit-changes')).AuditChanges }));

const TABS = [
  ['rules', 'Findings'],
  ['pages', 'Pages'],
  ['changes', 'Changes'],
] as const;
type Tab = (typeof TABS)[number][0];

export function AuditReportView({ audit }: { audit: Audit }) {
  const query = useQuery(reportQuery(audit.auditId));
  const { tab = 'rules' } = useSearch({ from: '/shell/audits/$id' });
  const navigate = useNavigate({ from: '/audits/$id' });
  return (
    <Loaded query={query} what="the report">
      {(report) => (
        <>
          <Summary audit={audit} report={report} />
          <Tabs
            label="Views of the report"
            current={tab as Tab}
            names={TABS}
            select={(name) =>
              void navigate({ search: withParam('tab', name === 'rules' ? undefined : name) })
            }
          />
          <Suspense fallback={<Loading what="the view" />}>
            {tab === 'pages' ? <ReportPages report={report} /> : null}
            {tab === 'changes' ? <AuditChanges audit={audit} /> : null}
          </Suspense>
          {tab === 'rules' ? <ReportRules report={report} /> : null}
        </>
      )}
    </Loaded>
  );
}

const FORMATS = [
  ['html', 'HTML'],
  ['md', 'Markdown'],
  ['csv', 'CSV'],
  ['json', 'JSON'],
] as const;

/** Pages that were not requested are known, but not crawled. */
function pagesText({ counts, reading }: AuditReport): string {
  if (!reading?.note) return count(counts.pages, 'page');
  const { read, blocked, refused, failed } = reading;
  return `${read} of ${count(read + blocked + refused + failed, 'page')} read`;
}

function Summary({ audit, report }: { audit: Audit; report: AuditReport }) {
  const { counts, gates, afterFixes, stopped, reading } = report;
  return (
    <section className="panel report-summary" aria-label="Score">
      <ScoreDial score={report.score} grade={report.grade} />
      <div>
        {reading?.note ? <p className="fault">{reading.note}</p> : null}
        <Facts
          of={[
            ['Pages', pagesText(report)],
            ['Links and files', count(counts.checks, 'check')],
            ['Rules', `${counts.failed} failed, ${counts.warned} with warnings, ${counts.passed} passed`],
            ['Findings', count(counts.issues, 'finding')],
          ]}
        />
        {gates.map(({ id, cap, url, observed }) => (
          <p key={`${id} ${url}`} className="fault">
            The score is capped at {cap}: {observed} at <span className="wire">{url}</span>
          </p>
        ))}
        {afterFixes ? (
          <p>
            Fixing {count(afterFixes.rules.length, 'rule')} would raise the score to{' '}
            <strong>{afterFixes.score}</strong>.
          </p>
        ) : null}
        {stopped ? <p className="fault">The audit ended early: {stopped}</p> : null}
        <p className="actions">
          <span className="small muted">Download</span>
          {FORMATS.map(([format, name]) => (
            <a
              key={format}
              className="button"
              href={`/api/audits/${audit.auditId}/report?format=${format}`}
              download={`audit-${audit.auditId}.${format}`}
            >
              {name}
            </a>
          ))}
        </p>
      </div>
      <Categories report={report} />
    </section>
  );
}

function Categories({ report }: { report: AuditReport }) {
  return (
    <ul className="categories" aria-label="Score by category">
      {report.categories.map(({ category, title = category, score }) => (
        <li key={category}>
          <span>{title}</span>
          <meter min={0} max={100} low={60} high={90} optimum={100} value={score ?? 0} aria-label={title} />
          <span className="wire">{score === null ? '–' : Math.round(score)}</span>
        </li>
      ))}
    </ul>
  );
}
