/** A suite: many paths of two environments, each with its verdict and a link to its comparison. */
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { suiteQuery } from '../../api/compare';
import { useScope } from '../../api/session';
import type { SuiteWithPaths } from '../../api/types';
import { usePollMs } from '../../live/connection';
import { DemoHint } from '../../ui/demo-hint';
import { Shape, Status, toneOf } from '../../ui/mark';
import { Page, Panel } from '../../ui/page';
import { Empty, Loaded } from '../../ui/states';
import { count, Time } from '../../ui/time';
import { VirtualList } from '../../ui/virtual-list';
import { VERDICTS } from './verdict';

export function SuitePage() {
  const { id } = useParams({ from: '/shell/suites/$id' });
  const query = useQuery(suiteQuery(id, usePollMs(1_000)));
  return (
    <Page
      title="Suite"
      lead={
        query.data ? (
          <>
            <span className="wire">{query.data.leftUrl}</span> against{' '}
            <span className="wire">{query.data.rightUrl}</span>, <Time at={query.data.createdAt} />
          </>
        ) : undefined
      }
      actions={query.data ? <EditAndRun suite={query.data} /> : undefined}
    >
      <Loaded query={query} what="the suite">
        {(suite) => (
          <>
            <DemoHint of="compare" url={suite.leftUrl} />
            <SuiteBody suite={suite} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function EditAndRun({ suite: { suiteId, status } }: { suite: SuiteWithPaths }) {
  const mayWrite = useScope('compare:write');
  if (!mayWrite || status === 'running') return null;
  return (
    <Link to="/compare/new" search={{ suite: suiteId }} className="button">
      Edit and run
    </Link>
  );
}

function SuiteBody({ suite }: { suite: SuiteWithPaths }) {
  return (
    <>
      <SuiteVerdict suite={suite} />
      {suite.findings.length > 0 ? (
        <Panel title="About the suite itself">
          <ul className="rows">
            {suite.findings.map(({ id, severity, code, message }) => (
              <li key={id} className="row">
                <Status of={severity} />
                <span className="row-main">
                  <span className="finding-code">{code}</span> {message}
                </span>
              </li>
            ))}
          </ul>
        </Panel>
      ) : null}
      <Panel title="Paths">
        <Paths paths={suite.rows} />
      </Panel>
    </>
  );
}

function SuiteVerdict({ suite }: { suite: SuiteWithPaths }) {
  const { status, verdict, verdicts, done, paths, error, notes } = suite;
  const tone = toneOf(verdict ?? status);
  const counted = Object.entries(verdicts).map(([name, n]) => `${n} ${name}`);
  return (
    <section className={`panel verdict is-edge-${tone}`} aria-label="Verdict">
      <p className="verdict-line" role="status">
        <Shape tone={tone} />
        {status === 'running' ? 'Comparing' : verdict === null ? 'Did not finish' : VERDICTS[verdict]}
      </p>
      {status === 'running' ? (
        <progress max={Math.max(1, paths)} value={done} aria-label="Paths compared" />
      ) : null}
      <p>
        {done} of {count(paths, 'path')} compared
        {counted.length > 0 ? `: ${counted.join(', ')}` : ''}
      </p>
      {error ? <p className="fault">{error.message}</p> : null}
      {notes.map((note) => (
        <p key={note} className="small muted">
          {note}
        </p>
      ))}
    </section>
  );
}

const RANK = ['fail', 'failed', 'inconclusive', 'warn', 'pass'];

function Paths({ paths }: { paths: SuiteWithPaths['rows'] }) {
  if (paths.length === 0) return <Empty title="No paths yet">The suite is still finding its paths.</Empty>;
  const rank = (verdict: string | null) => (verdict === null ? RANK.length : RANK.indexOf(verdict));
  const sorted = [...paths].sort((a, b) => rank(a.verdict) - rank(b.verdict) || a.n - b.n);
  return (
    <VirtualList
      items={sorted}
      label="Paths, worst first"
      rowPx={40}
      keyOf={({ n }) => n}
      row={({ path, comparisonId, verdict, findings }) => (
        <div className="row">
          <Status of={verdict ?? 'queued'} />
          {verdict === null ? (
            <span className="row-main wire">{path}</span>
          ) : (
            <Link to="/compare/$id" params={{ id: comparisonId }} className="row-main wire">
              {path}
            </Link>
          )}
          <span className="row-end small muted">{findings === null ? '' : count(findings, 'finding')}</span>
        </div>
      )}
    />
  );
}
