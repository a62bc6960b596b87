/** What changed since the previous audit, regressions first, and the score of every audit of the site. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { auditDiffQuery, auditsQuery } from '../../api/audits';
import type { Audit, AuditDiff } from '../../api/types';
import { Panel } from '../../ui/page';
import { Plot } from '../../ui/plot';
import { Empty, Loaded } from '../../ui/states';
import { count, Time } from '../../ui/time';

export function AuditChanges({ audit }: { audit: Audit }) {
  const query = useInfiniteQuery(auditsQuery({ status: 'done', canonicalUrl: audit.canonicalUrl }));
  const { data, hasNextPage, isFetchingNextPage, isError, fetchNextPage } = query;
  // Newest first, so the audit before this one comes after it, perhaps on a later page.
  const newestFirst = data?.pages.flatMap((page) => page.audits) ?? [];
  const at = newestFirst.findIndex(({ auditId }) => auditId === audit.auditId);
  const before = at < 0 ? undefined : newestFirst[at + 1];
  const isSearching = before === undefined && hasNextPage;
  useEffect(() => {
    if (isSearching && !isFetchingNextPage && !isError) void fetchNextPage();
  }, [isSearching, isFetchingNextPage, isError, fetchNextPage]);
  return (
    <Loaded query={isSearching ? { ...query, data: undefined } : query} what="earlier audits">
      {() => (
        <>
          <Changes audit={audit} before={before} />
          <Scores audits={newestFirst.toReversed()} />
        </>
      )}
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
