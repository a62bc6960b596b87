/** What changed since the previous audit, regressions first, and the score of every audit of the site. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { auditDiffQuery, auditsQuery } from '../../api/audits';
import type { Audit, AuditDiff } from '../../api/types';
import { Panel } from '../../ui/page';
import { Plot } from '../../ui/plot';
import { Empty, Loaded } from '../../ui/states';
import { count, Time } from '../../ui/time';

export function AuditChanges({ audit }: { audit: Audit }) {
  const query = useInfiniteQuery(auditsQuery('done'));
  return (
    <Loaded query={query} what="earlier audits">
      {({ pages }) => {
        const same = pages
          .flatMap((page) => page.audits)
          .filter(({ canonicalUrl }) => canonicalUrl === audit.canonicalUrl)
          .sort((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt));
        const at = same.findIndex(({ auditId }) => auditId === audit.auditId);
        return (
          <>
            <Changes audit={audit} before={same[at - 1]} />
            <Scores audits={same} />
          </>
        );
      }}
    </Loaded>
  );
}

function Changes({ audit, before }: { audit: Audit; before: Audit | undefined }) {
  if (!before) {
    return (
      <Panel title="Changes">
        <Empty title="This is the first audit of the site">Audit it again to see what changed.</Empty>
      </Panel>
    );
  }
  return <ChangesSince audit={audit} before={before} />;
}

function ChangesSince({ audit, before }: { audit: Audit; before: Audit }) {
  const query = useQuery(auditDiffQuery(before.auditId, audit.auditId));
  return (
    <Panel
      title="Changes since the last audit"
      aside={
        <Link to="/audits/$id" params={{ id: before.auditId }} className="small">
          Earlier audit: <Time at={before.createdAt} />
        </Link>
      }
    >
      <Loaded query={query} what="the changes">
        {(diff) => (
          <>
            <p>
              Score {scoreText(diff.scoreBefore)} before, <strong>{scoreText(diff.scoreAfter)}</strong> now.
            </p>
            <IssueGroup title="New" issues={diff.new} open />
            <IssueGroup title="Fixed" issues={diff.fixed} open={false} />
            <IssueGroup title="Still there" issues={diff.stillThere} open={false} />
            <IssueGroup title="Not checked this time" issues={diff.notSeen} open={false} />
          </>
        )}
      </Loaded>
    </Panel>
  );
}

interface IssueGroupProps {
  readonly title: string;
  readonly issues: AuditDiff['new'];
  readonly open: boolean;
}

function IssueGroup({ title, issues, open }: IssueGroupProps) {
  if (issues.length === 0) return <p className="muted">{title}: none</p>;
  return (
    <details className="fold" open={open}>
      <summary>
        {title}: {count(issues.length, 'place')}
      </summary>
      <ul className="issues">
        {issues.map((issue, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two findings may be equal
          <li key={at}>
            <span className="finding-code">{issue.rule}</span> <span className="wire place">{issue.url}</span>
            <p className="wire">{issue.observed}</p>
          </li>
        ))}
      </ul>
    </details>
  );
}

function Scores({ audits }: { audits: readonly Audit[] }) {
  const scored = audits.filter(({ score }) => score !== null);
  if (scored.length < 2) return null;
  return (
    <Panel title="Score over time">
      <Plot
        times={scored.map(({ createdAt }) => Date.parse(createdAt) / 1_000)}
        series={[{ label: 'Score', values: scored.map(({ score }) => score) }]}
        range={[0, 100]}
      />
    </Panel>
  );
}

function scoreText(score: number | null): string {
  return score === null ? 'not measured' : String(Math.round(score));
}
