/** All audits with state, progress and score. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { auditsQuery } from '../../api/audits';
import { useScope } from '../../api/session';
import type { Audit } from '../../api/types';
import { usePollMs } from '../../live/connection';
import { withParam } from '../../search';
import { Chip, SearchField } from '../../ui/filters';
import { Status, wordOf } from '../../ui/mark';
import { Page, Panel } from '../../ui/page';
import { Empty, Loaded, LoadMore, NoMatch } from '../../ui/states';
import { Time } from '../../ui/time';
import { ScoreBadge } from './score';

const STATUSES = ['running', 'queued', 'done', 'failed', 'canceled'] as const;

export function AuditListPage() {
  const { status, q = '' } = useSearch({ from: '/shell/audits' });
  const navigate = useNavigate({ from: '/audits' });
  const known = STATUSES.find((name) => name === status);
  const filter = { ...(known && { status: known }), ...(q !== '' && { q }) };
  const query = useInfiniteQuery({ ...auditsQuery(filter), refetchInterval: usePollMs(3_000) });
  const set = (name: 'status' | 'q', value: string | undefined) =>
    void navigate({ search: withParam(name, value), replace: true });
  return (
    <Page
      title="Audits"
      lead="A site, read page by page: what search engines, assistants and people stumble over."
      actions={<NewAudit />}
    >
      <Panel
        title="All audits"
        aside={<SearchField label="Filter by URL" value={q} onChange={(value) => set('q', value)} />}
      >
        <div className="filters">
          {STATUSES.map((name) => (
            <Chip
              key={name}
              on={status === name}
              toggle={() => set('status', status === name ? undefined : name)}
            >
              {wordOf(name)}
            </Chip>
          ))}
        </div>
        <Loaded query={query} what="the audits">
          {({ pages }) => (
            <AuditTable
              audits={pages.flatMap((page) => page.audits)}
              filtered={known !== undefined || q !== ''}
              more={query.hasNextPage}
            />
          )}
        </Loaded>
        <LoadMore query={query} what="audits" />
      </Panel>
    </Page>
  );
}

function NewAudit() {
  return useScope('audit:write') ? (
    <Link to="/audits/new" className="button primary">
      New audit
    </Link>
  ) : null;
}

interface AuditTableProps {
  readonly audits: readonly Audit[];
  readonly filtered: boolean;
  readonly more: boolean;
}

function AuditTable({ audits, filtered, more }: AuditTableProps) {
  if (audits.length === 0 && filtered) {
    return <NoMatch what="audit" more={more} to="/audits" />;
  }
  if (audits.length === 0) {
    return (
      <Empty title="No site has been audited yet" action={<NewAudit />}>
        An audit crawls a site politely and scores what it finds. From a terminal:
        <pre className="block">sonde audit https://example.com</pre>
      </Empty>
    );
  }
  return (
    <ul className="rows">
      {audits.map((audit) => (
        <li key={audit.auditId} className="row">
          <Status of={audit.status} />
          <Link to="/audits/$id" params={{ id: audit.auditId }} className="row-main wire">
            {audit.url}
          </Link>
          {audit.status === 'running' ? (
            <progress max={100} value={audit.progress ?? 0} aria-label="Progress" />
          ) : (
            <ScoreBadge score={audit.score} />
          )}
          <span className="row-end small muted">
            <Time at={audit.createdAt} />
          </span>
        </li>
      ))}
    </ul>
  );
}
