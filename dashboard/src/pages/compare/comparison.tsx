/** One comparison: progress while it runs, then the verdict, then findings and their details. */
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { comparisonQuery } from '../../api/compare';
import type { Comparison } from '../../api/types';
import { usePollMs } from '../../live/connection';
import { withParam } from '../../search';
import { DemoHint } from '../../ui/demo-hint';
import { Tabs } from '../../ui/filters';
import { Page } from '../../ui/page';
import { Empty, Loaded, Loading } from '../../ui/states';
import { Time } from '../../ui/time';
import { CompareProgress } from './compare-progress';
import { Findings } from './findings';
import { RunAgain } from './run-again';
import { Verdict } from './verdict';

const Probes = lazy(async () => ({ default: (await import('./probes')).Probes }));
const RawComparison = lazy(async () => ({ default: (await import('./probes')).RawComparison }));

const TABS = [
  ['findings', 'Findings'],
  ['probes', 'Probes'],
  ['raw', 'Raw result'],
] as const;
type Tab = (typeof TABS)[number][0];

export function ComparisonPage() {
  const { id } = useParams({ from: '/shell/compare/$id' });
  const query = useQuery(comparisonQuery(id, usePollMs(1_000)));
  const { data } = query;
  return (
    <Page
      title="Comparison"
      name={data ? `${hostOf(data.leftUrl)} against ${hostOf(data.rightUrl)}` : 'Comparison'}
      lead={data ? <Lead comparison={data} /> : undefined}
      actions={data ? <Actions comparison={data} /> : undefined}
    >
      <Loaded query={query} what="the comparison">
        {(comparison) => (
          <>
            <DemoHint of="compare" url={comparison.leftUrl} />
            <Body comparison={comparison} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Lead({ comparison }: { comparison: Comparison }) {
  return (
    <>
      <span className="wire">{comparison.leftUrl}</span> against{' '}
      <span className="wire">{comparison.rightUrl}</span>, <Time at={comparison.createdAt} />
    </>
  );
}

function Actions({ comparison }: { comparison: Comparison }) {
  return (
    <>
      <Link to="/pairs/$key" params={{ key: comparison.pairKey }} className="button">
        History of the pair
      </Link>
      <RunAgain comparison={comparison} />
    </>
  );
}

function Body({ comparison }: { comparison: Comparison }) {
  const { tab = 'findings' } = useSearch({ from: '/shell/compare/$id' });
  const navigate = useNavigate({ from: '/compare/$id' });
  if (comparison.status === 'running') return <CompareProgress comparisonId={comparison.comparisonId} />;
  const { result, error } = comparison;
  if (!result) {
    return (
      <Empty title="The comparison did not finish" action={<RunAgain comparison={comparison} />}>
        {error?.message ?? 'No reason was recorded.'}
      </Empty>
    );
  }
  return (
    <>
      <Verdict comparison={comparison} diff={result.diff} />
      <Tabs
        label="Views of the comparison"
        current={tab as Tab}
        names={TABS}
        select={(name) => void navigate({ search: withParam('tab', name === 'findings' ? undefined : name) })}
      />
      <Suspense fallback={<Loading what="the view" />}>
        {tab === 'probes' ? <Probes comparisonId={comparison.comparisonId} diff={result.diff} /> : null}
        {tab === 'raw' ? <RawComparison comparison={comparison} /> : null}
      </Suspense>
      {tab === 'findings' ? <Findings comparison={comparison} diff={result.diff} /> : null}
    </>
  );
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
