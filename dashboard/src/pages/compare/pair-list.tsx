/** All compared pairs with their recent verdicts, and the suites. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { historyQuery, pairsQuery, suitesQuery } from '../../api/compare';
import { useScope } from '../../api/session';
import type { Pair, Suite } from '../../api/types';
import { usePollMs } from '../../live/connection';
import { withParam } from '../../search';
import { SearchField } from '../../ui/filters';
import { Status } from '../../ui/mark';
import { Page, Panel } from '../../ui/page';
import { Empty, Loaded, LoadMore, NoMatch } from '../../ui/states';
import { count, Time } from '../../ui/time';
import { HistoryStrip } from './history-strip';

export function PairListPage() {
  const { q = '' } = useSearch({ from: '/shell/compare' });
  const navigate = useNavigate({ from: '/compare' });
  const refetchInterval = usePollMs(3_000);
  const pairs = useInfiniteQuery({ ...pairsQuery(q === '' ? {} : { q }), refetchInterval });
  const suites = useQuery({ ...suitesQuery(), refetchInterval });
  return (
    <Page
      title="Compare"
      lead="Two environments, side by side: what differs, how much it matters, and since when."
      actions={<NewLink />}
    >
      <Panel
        title="Pairs"
        aside={
          <SearchField
            label="Filter by URL"
            value={q}
            onChange={(value) => void navigate({ search: withParam('q', value), replace: true })}
          />
        }
      >
        <Loaded query={pairs} what="the pairs">
          {({ pages }) => (
            <PairTable
              pairs={pages.flatMap((page) => page.pairs)}
              q={q}
              suites={suites.data?.suites.length ?? 0}
              more={pairs.hasNextPage}
            />
          )}
        </Loaded>
        <LoadMore query={pairs} what="pairs" />
      </Panel>
      <Panel title="Suites">
        <Loaded query={suites} what="the suites">
          {(data) => <SuiteTable suites={data.suites} />}
        </Loaded>
      </Panel>
    </Page>
  );
}

function NewLink() {
  const mayWrite = useScope('compare:write');
  return mayWrite ? (
    <Link to="/compare/new" className="button primary">
      New comparison
    </Link>
  ) : null;
}

interface PairTableProps {
  readonly pairs: readonly Pair[];
  readonly q: string;
  /** The number of suites. */
  readonly suites: number;
  /** Whether older pairs have not been searched. */
  readonly more: boolean;
}

function PairTable({ pairs, q, suites, more }: PairTableProps) {
  if (pairs.length === 0 && q !== '') {
    return <NoMatch what="pair" more={more} to="/compare" />;
  }
  if (pairs.length === 0 && suites > 0) {
    return (
      <Empty title="Only suites have been compared">
        Two URLs that are compared on their own appear here. The paths of a suite are on its page.
      </Empty>
    );
  }
  if (pairs.length === 0) {
    return (
      <Empty title="Nothing has been compared yet" action={<NewLink />}>
        A comparison probes two URLs and reports every difference that matters. From a terminal:
        <pre className="block">sonde compare https://staging.example.com https://example.com</pre>
      </Empty>
    );
  }
  return (
    <ul className="rows">
      {pairs.map((pair) => (
        <PairRow key={pair.pairKey} pair={pair} />
      ))}
    </ul>
  );
}

function PairRow({ pair }: { pair: Pair }) {
  const history = useQuery(historyQuery(pair.pairKey)).data?.comparisons ?? [];
  const verdict = history[0]?.verdict ?? pair.lastStatus;
  return (
    <li className="row pair-row">
      <Status of={verdict} />
      <Link to="/compare/$id" params={{ id: pair.lastComparisonId }} className="row-main wire">
        <span>{pair.leftUrl}</span> <span className="muted">against</span> <span>{pair.rightUrl}</span>
      </Link>
      <HistoryStrip comparisons={history} />
      <span className="row-end small muted">
        <Link to="/pairs/$key" params={{ key: pair.pairKey }}>
          {count(pair.comparisons, 'run')}
        </Link>
        {', '}
        <Time at={pair.lastAt} />
      </span>
    </li>
  );
}

function SuiteTable({ suites }: { suites: readonly Suite[] }) {
  if (suites.length === 0) {
    return (
      <Empty title="No suites yet">
        A suite compares many paths of two environments at once. Give paths in “New comparison”.
      </Empty>
    );
  }
  return (
    <ul className="rows">
      {suites.map((suite) => (
        <li key={suite.suiteId} className="row">
          <Status of={suite.verdict ?? suite.status} />
          <Link to="/suites/$id" params={{ id: suite.suiteId }} className="row-main wire">
            <span>{suite.leftUrl}</span> <span className="muted">against</span> <span>{suite.rightUrl}</span>
          </Link>
          <span className="row-end small muted">
            {suite.done} of {count(suite.paths, 'path')}, <Time at={suite.createdAt} />
          </span>
        </li>
      ))}
    </ul>
  );
}
