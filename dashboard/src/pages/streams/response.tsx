/** A recorded response: how it ended, what upstream sent and when, its content, and a replay at the original pace. */
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { attemptsQuery, responseQuery, timingQuery } from '../../api/streams';
import type { ResponseEntry } from '../../api/types';
import type { ReadSnapshot } from '../../live/stream-reader';
import { useStream } from '../../live/use-stream';
import { withParam } from '../../search';
import { DemoHint } from '../../ui/demo-hint';
import { responseState, State, Status } from '../../ui/mark';
import { Facts, Panel } from '../../ui/page';
import { Loaded } from '../../ui/states';
import { exactTime, Time } from '../../ui/time';
import { Abort } from './abort';
import { EndingNote } from './read-state';
import { Replay } from './replay';
import { StreamFrame } from './stream-frame';
import { TokenTimeline } from './token-timeline';

export function ResponsePage() {
  const { id } = useParams({ from: '/shell/responses/$id' });
  const { view, offset } = useSearch({ from: '/shell/responses/$id' });
  const navigate = useNavigate({ from: '/responses/$id' });
  const url = `/v1/proxy/${encodeURIComponent(id)}`;
  const read = useStream(url, offset);
  const entry = useQuery(responseQuery(id)).data ?? null;
  return (
    <StreamFrame
      title="Response"
      name={`Response ${id.slice(0, 8)}`}
      url={url}
      read={read}
      lead={entry ? <span className="wire request-line">{requestLine(entry)}</span> : null}
      actions={read.state === 'ended' || read.state === 'failed' ? null : <Abort id={id} />}
      notes={
        <>
          <EndingNote read={read} />
          {entry ? <DemoHint of="response" url={entry.route ?? ''} /> : null}
        </>
      }
      view={view}
      offset={offset}
      setView={(next) => void navigate({ search: withParam('view', next), replace: true })}
      setOffset={(next) => void navigate({ search: withParam('offset', next) })}
    >
      <Times id={id} headMs={entry?.headMs ?? 0} read={read} fromStart={offset === undefined} />
      <Panel title="Request and response">
        <ResponseFacts request={entry} read={read} />
      </Panel>
      {entry && entry.attempts > 1 ? <Attempts id={id} /> : null}
    </StreamFrame>
  );
}

function requestLine({ method, upstreamUrl }: ResponseEntry): string {
  return `${method} ${upstreamUrl}`;
}

interface TimesProps {
  readonly id: string;
  /** How long the upstream took to respond, before the first record. */
  readonly headMs: number;
  readonly read: ReadSnapshot;
  readonly fromStart: boolean;
}

function Times({ id, headMs, read, fromStart }: TimesProps) {
  const ended = read.state === 'ended';
  const timing = useQuery({ ...timingQuery({ response: id }, ended), enabled: read.model.bytes > 0 }).data;
  if (!timing || timing.records.length === 0) return null;
  return (
    <>
      <Panel title="Timing">
        <TokenTimeline timing={timing} headMs={headMs} ended={ended} />
      </Panel>
      {ended && fromStart ? (
        <Panel title="Replay">
          <Replay model={read.model} timing={timing} />
        </Panel>
      ) : null}
    </>
  );
}

function ResponseFacts({ request, read }: { request: ResponseEntry | null; read: ReadSnapshot }) {
  const { outcome, fault, upstreamStatus, upstreamHeaders } = read.facts;
  return (
    <>
      <Facts
        of={[
          ['Outcome', <Outcome key="outcome" of={outcome} status={upstreamStatus} />],
          ...(fault
            ? [
                [
                  'Fault',
                  <span key="fault" className="wire">
                    {fault}
                  </span>,
                ] as const,
              ]
            : []),
          ...(request
            ? ([
                [
                  'Request',
                  <span key="request" className="wire">
                    {requestLine(request)}
                  </span>,
                ],
                ['Route', request.route ?? 'none, sent by /v1/proxy'],
                ['Started', exactTime(request.createdAt)],
                ['Readable until', request.expiresAt ? exactTime(request.expiresAt) : 'it is deleted'],
              ] as const)
            : []),
          ['Upstream status', upstreamStatus ?? (outcome === null ? 'not known yet' : 'none: no response')],
        ]}
      />
      {upstreamHeaders.length > 0 ? (
        <details className="fold">
          <summary>{upstreamHeaders.length} upstream headers</summary>
          <dl className="facts wire">
            {upstreamHeaders.map(([name, value], at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a header may occur twice
              <div key={at}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </details>
      ) : null}
    </>
  );
}

function Outcome({ of, status }: { of: string | null; status: string | null }) {
  if (of === null) return <State tone="info">Being recorded</State>;
  return (
    <Status of={responseState({ outcome: of, upstreamStatus: status === null ? null : Number(status) })} />
  );
}

/** The calls to the upstream that led to this response; shown if the first one was refused. */
function Attempts({ id }: { id: string }) {
  const query = useQuery(attemptsQuery(id));
  return (
    <Panel title="Attempts">
      <Loaded query={query} what="the attempts">
        {({ attempts }) => (
          <ul className="rows">
            {attempts.map(({ n, startedAt, status, outcome, target }) => (
              <li key={n} className="row">
                <Status of={responseState({ outcome, upstreamStatus: status })} />
                <span className="row-main wire">
                  {n}. {target}
                </span>
                <span className="row-end small muted">
                  {status === null ? '' : `${status}, `}
                  <Time at={startedAt} />
                </span>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Panel>
  );
}
