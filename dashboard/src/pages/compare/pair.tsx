/** The history of one pair: every run, and which findings appeared, stayed and disappeared. */
import { useQueries, useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { comparisonQuery, historyQuery } from '../../api/compare';
import type { Comparison, ComparisonSummary } from '../../api/types';
import { usePollMs } from '../../live/connection';
import { Shape, Status, toneOf } from '../../ui/mark';
import { Page, Panel } from '../../ui/page';
import { Empty, Loaded } from '../../ui/states';
import { count, exactTime, Time } from '../../ui/time';

/** The number of runs whose findings are shown side by side. */
const RUNS_MAX = 12;

export function PairPage() {
  const { key } = useParams({ from: '/shell/pairs/$key' });
  const refetchInterval = usePollMs(3_000);
  const history = useQuery({ ...historyQuery(key, 50), refetchInterval });
  const newest = history.data?.comparisons[0]?.comparisonId;
  const pair = useQuery({ ...comparisonQuery(newest ?? ''), enabled: newest !== undefined }).data;
  return (
    <Page
      title="History of a pair"
      lead={
        pair ? (
          <>
            <span className="wire">{pair.leftUrl}</span> against <span className="wire">{pair.rightUrl}</span>
          </>
        ) : undefined
      }
    >
      <Loaded query={history} what="the history">
        {({ comparisons }) =>
          comparisons.length === 0 ? (
            <Empty title="This pair has no comparisons" />
          ) : (
            <>
              <Timeline comparisons={comparisons} />
              <Runs comparisons={comparisons} />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

function Runs({ comparisons }: { comparisons: readonly ComparisonSummary[] }) {
  return (
    <Panel title="Runs">
      <ul className="rows">
        {comparisons.map(({ comparisonId, createdAt, status, verdict, findings }, at) => (
          <li key={comparisonId} className="row">
            <Status of={verdict ?? status} />
            <Link to="/compare/$id" params={{ id: comparisonId }} className="row-main">
              Run {comparisons.length - at}: {findings === null ? 'no result' : count(findings, 'finding')}
            </Link>
            <span className="row-end small muted">
              <Time at={createdAt} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

interface Lane {
  readonly fingerprint: string;
  readonly code: string;
  readonly message: string;
  readonly severity: string;
  /** The id of the finding in each run where it occurs. */
  readonly ids: readonly (string | undefined)[];
}

function Timeline({ comparisons }: { comparisons: readonly ComparisonSummary[] }) {
  const chosen = comparisons
    .filter(({ verdict }) => verdict !== null)
    .slice(0, RUNS_MAX)
    .reverse();
  const results = useQueries({ queries: chosen.map(({ comparisonId }) => comparisonQuery(comparisonId)) });
  const runs = results.flatMap(({ data }) => data ?? []);
  if (runs.length < chosen.length) return null;
  const lanes = lanesOf(runs);
  const numbers = new Map(comparisons.map(({ comparisonId }, at) => [comparisonId, comparisons.length - at]));
  return (
    <Panel title="What appeared and disappeared">
      {lanes.length === 0 ? (
        <Empty title="No findings in these runs" />
      ) : (
        <div className="table-frame">
          <table className="timeline">
            <thead>
              <tr>
                <th scope="col">Finding</th>
                <th scope="col">Now</th>
                {runs.map(({ comparisonId, createdAt }) => (
                  <th scope="col" key={comparisonId} title={exactTime(createdAt)}>
                    <span className="unseen">Run </span>
                    {numbers.get(comparisonId)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {lanes.map((lane) => (
                <LaneRow key={lane.fingerprint} lane={lane} runs={runs} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Panel>
  );
}

function LaneRow({ lane, runs }: { lane: Lane; runs: readonly Comparison[] }) {
  return (
    <tr>
      <th scope="row">
        <span className="finding-code">{lane.code}</span> <span>{lane.message}</span>
      </th>
      <td>{stateOf(lane)}</td>
      {runs.map(({ comparisonId }, at) => {
        const finding = lane.ids[at];
        return (
          <td key={comparisonId}>
            {finding === undefined ? (
              <span className="muted" title="not found">
                ·
              </span>
            ) : (
              <Link to="/compare/$id" params={{ id: comparisonId }} search={{ finding }} aria-label="found">
                <Shape tone={toneOf(lane.severity)} />
              </Link>
            )}
          </td>
        );
      })}
    </tr>
  );
}

function stateOf({ ids }: Lane): string {
  const now = ids.at(-1) !== undefined;
  const before = ids.at(-2) !== undefined;
  if (ids.length < 2) return 'present';
  if (now) return before ? 'still there' : 'appeared';
  return before ? 'disappeared' : 'gone';
}

function lanesOf(runs: readonly Comparison[]): readonly Lane[] {
  const lanes = new Map<string, Lane & { ids: (string | undefined)[] }>();
  for (const [at, run] of runs.entries()) {
    for (const finding of run.result?.diff.findings ?? []) {
      if (finding.status === 'resolved') continue;
      const { fingerprint, code, message, severity, id } = finding;
      const lane = lanes.get(fingerprint) ?? {
        fingerprint,
        code,
        message,
        severity,
        ids: runs.map(() => undefined),
      };
      lane.ids[at] = id;
      lanes.set(fingerprint, lane);
    }
  }
  return [...lanes.values()];
}
