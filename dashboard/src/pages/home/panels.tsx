/** The four panels. Each fails on its own, and its rows link to the details. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useScope } from '../../api/session';
import { attentionText, readyQuery, systemQuery } from '../../api/system';
import { isRefusal, State, Status } from '../../ui/mark';
import { Panel } from '../../ui/page';
import { Empty, Failed, Loaded, Loading } from '../../ui/states';
import { Time } from '../../ui/time';
import type { Recent, RecentItem } from './use-recent';

const ROWS = 6;
const BAD = new Set(['fail', 'failed', 'timeout', 'inconclusive']);
const BUSY = new Set(['running', 'queued']);

export function Attention({ recent }: { recent: Recent }) {
  const operator = useScope('operator');
  const system = useQuery({ ...systemQuery(), enabled: operator }).data;
  const notes = system?.attention ?? [];
  const bad = recent.items.filter(({ status }) => BAD.has(status) || isRefusal(status)).slice(0, ROWS);
  return (
    <Panel title="Needs attention">
      {notes.length > 0 ? (
        <ul className="rows">
          {notes.map((message) => (
            <li key={message} className="row">
              <State tone="warn">Note</State>
              <Link to="/system" className="row-main">
                {attentionText(message)}
              </Link>
            </li>
          ))}
        </ul>
      ) : null}
      <Rows recent={recent} items={bad}>
        {notes.length === 0 ? (
          <Empty title="Nothing needs attention">Failed work and failing verdicts appear here.</Empty>
        ) : null}
      </Rows>
    </Panel>
  );
}

export function Running({ recent }: { recent: Recent }) {
  const busy = recent.items.filter(
    ({ kind, status }) => BUSY.has(status) || (kind === 'response' && status === 'open'),
  );
  return (
    <Panel title="Running now">
      <Rows recent={recent} items={busy.slice(0, ROWS)}>
        <Empty title="Nothing is running">
          Comparisons, audits and responses appear here while they run.
        </Empty>
      </Rows>
    </Panel>
  );
}

export function Latest({ recent }: { recent: Recent }) {
  return (
    <Panel title="Latest">
      <Rows recent={recent} items={recent.items.slice(0, ROWS)}>
        <Empty title="Nothing has happened yet">
          <Link to="/compare/new">Compare two URLs</Link>, <Link to="/audits/new">audit a site</Link> or{' '}
          <Link to="/responses/new">send a request</Link>.
        </Empty>
      </Rows>
    </Panel>
  );
}

interface RowsProps {
  readonly recent: Recent;
  readonly items: readonly RecentItem[];
  readonly children: ReactNode;
}

function Rows({ recent, items, children }: RowsProps) {
  if (items.length === 0 && !recent.loaded) return <Loading what="the latest work" />;
  if (items.length === 0 && recent.error) return <Failed error={recent.error} what="the latest work" />;
  if (items.length === 0) return children;
  return (
    <ul className="rows">
      {items.map((item) => (
        <li key={item.key} className="row">
          <Status of={item.status} />
          <ItemLink item={item} />
          <span className="row-end small muted">
            {item.kind}, <Time at={item.at} />
          </span>
        </li>
      ))}
    </ul>
  );
}

function ItemLink({ item: { kind, id, text } }: { item: RecentItem }) {
  const className = 'row-main wire';
  switch (kind) {
    case 'comparison':
      return (
        <Link to="/compare/$id" params={{ id }} className={className}>
          {text}
        </Link>
      );
    case 'suite':
      return (
        <Link to="/suites/$id" params={{ id }} className={className}>
          {text}
        </Link>
      );
    case 'audit':
      return (
        <Link to="/audits/$id" params={{ id }} className={className}>
          {text}
        </Link>
      );
    case 'response':
      return (
        <Link to="/responses/$id" params={{ id }} className={className}>
          {text}
        </Link>
      );
    default:
      return (
        <Link to="/stream/$" params={{ _splat: id }} className={className}>
          {text}
        </Link>
      );
  }
}

export function Health() {
  const query = useQuery(readyQuery());
  const operator = useScope('operator');
  return (
    <Panel title="Health" aside={operator ? <Link to="/system">System</Link> : null}>
      <Loaded query={query} what="the readiness">
        {({ passed }) => (
          <div className="health">
            <State tone="pass">Ready</State>
            <p>This server is accepting requests.</p>
            <p className="small muted">Checks that pass: {passed.join(', ')}.</p>
          </div>
        )}
      </Loaded>
    </Panel>
  );
}
