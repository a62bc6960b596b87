/** Streams and recorded responses, newest first, with their live state. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useScope } from '../../api/session';
import { type StreamFilter, streamsQuery } from '../../api/streams';
import type { ResponseEntry, StreamEntry } from '../../api/types';
import { usePollMs } from '../../live/connection';
import { withParam } from '../../search';
import { Chip, SearchField } from '../../ui/filters';
import { responseState, Status } from '../../ui/mark';
import { Page, Panel } from '../../ui/page';
import { Empty, Loaded, LoadMore, NoMatch } from '../../ui/states';
import { size, Time } from '../../ui/time';

const CHIPS = [
  ['kind', 'stream', 'Streams'],
  ['kind', 'response', 'Responses'],
  ['state', 'open', 'Open'],
  ['state', 'closed', 'Closed'],
  ['outcome', 'failed', 'Failed'],
  ['outcome', 'aborted', 'Aborted'],
  ['outcome', 'timeout', 'Timed out'],
  ['status', '2xx', '2xx'],
  ['status', '4xx', '4xx'],
  ['status', '5xx', '5xx'],
  ['status', 'none', 'No response'],
] as const;

export function StreamListPage() {
  const search = useSearch({ from: '/shell/streams' });
  const navigate = useNavigate({ from: '/streams' });
  const query = useInfiniteQuery({ ...streamsQuery(filterIn(search)), refetchInterval: usePollMs(3_000) });
  const set = (name: keyof StreamFilter, value: string | undefined) =>
    void navigate({ search: withParam(name, value), replace: true });
  return (
    <Page
      title="Streams and responses"
      lead="What was appended, and what came back from upstreams. Every byte is stored before it is shown."
      actions={<SendLink />}
    >
      <Panel
        title="Newest first"
        aside={<SearchField label="Path, URL or id" value={search.q ?? ''} onChange={(q) => set('q', q)} />}
      >
        <div className="filters">
          {CHIPS.map(([name, value, text]) => (
            <Chip
              key={value}
              on={search[name] === value}
              toggle={() => set(name, search[name] === value ? undefined : value)}
            >
              {text}
            </Chip>
          ))}
        </div>
        <Loaded query={query} what="the streams">
          {({ pages }) => (
            <StreamRows
              streams={pages.flatMap((page) => page.streams)}
              filtered={Object.keys(search).length > 0}
              more={query.hasNextPage}
            />
          )}
        </Loaded>
        <LoadMore query={query} what="entries" />
      </Panel>
    </Page>
  );
}

function SendLink() {
  return useScope('proxy:create') ? (
    <Link to="/responses/new" className="button primary">
      Send a request
    </Link>
  ) : null;
}

/** Keeps only values that the API accepts. */
function filterIn(search: { [name in keyof StreamFilter]?: string }): StreamFilter {
  const known = (name: 'kind' | 'state' | 'outcome' | 'status') =>
    CHIPS.some(([chip, value]) => chip === name && value === search[name]) ? { [name]: search[name] } : {};
  return {
    ...known('kind'),
    ...known('state'),
    ...known('outcome'),
    ...known('status'),
    ...(search.q !== undefined && { q: search.q }),
  } as StreamFilter;
}

interface StreamRowsProps {
  readonly streams: readonly StreamEntry[];
  readonly filtered: boolean;
  readonly more: boolean;
}

function StreamRows({ streams, filtered, more }: StreamRowsProps) {
  if (streams.length === 0 && filtered) {
    return <NoMatch what="entry" more={more} to="/streams" />;
  }
  if (streams.length === 0) {
    return (
      <Empty title="No streams or responses yet" action={<SendLink />}>
        Send a request through a route, or append to a stream from a terminal:
        <pre className="block">echo hello | sonde stream append notes/today</pre>
      </Empty>
    );
  }
  return (
    <ul className="rows">
      {streams.map((entry) => (
        <li key={`${entry.kind} ${entry.id}`} className="row">
          <Status of={entry.kind === 'response' ? responseState(entry) : entry.state} />
          <EntryLink entry={entry} />
          <span className="row-end small muted">
            {entry.kind === 'response' ? <CallFacts response={entry} /> : null}
            {size(entry.bytes)}, <Time at={entry.lastAppendAt ?? entry.createdAt} />
          </span>
        </li>
      ))}
    </ul>
  );
}

function CallFacts({ response: { upstreamStatus, route, attempts } }: { response: ResponseEntry }) {
  const facts = [
    ...(upstreamStatus === null ? [] : [String(upstreamStatus)]),
    ...(route === null ? [] : [`route ${route}`]),
    ...(attempts > 1 ? [`${attempts} attempts`] : []),
  ];
  return facts.map((fact) => `${fact}, `).join('');
}

export function EntryLink({ entry }: { entry: StreamEntry }) {
  if (entry.kind === 'stream') {
    return (
      <Link to="/stream/$" params={{ _splat: entry.id }} className="row-main wire">
        {entry.id}
      </Link>
    );
  }
  return (
    <Link to="/responses/$id" params={{ id: entry.id }} className="row-main wire">
      <span className="muted">{entry.method}</span> {entry.upstreamUrl ?? entry.id}
    </Link>
  );
}
