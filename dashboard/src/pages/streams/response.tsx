/** A recorded response: how it ended, what upstream sent and when, its content, and a replay at the original pace. */
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { responseQuery, timingQuery } from '../../api/streams';
import type { StreamEntry } from '../../api/types';
import type { ReadSnapshot } from '../../live/stream-reader';
import { useStream } from '../../live/use-stream';
import { withParam } from '../../search';
import { CopyButton, shellQuote } from '../../ui/copy';
import { DemoHint } from '../../ui/demo-hint';
import { State, Status } from '../../ui/mark';
import { Facts, Page, Panel } from '../../ui/page';
import { exactTime } from '../../ui/time';
import { Abort } from './abort';
import { EndingNote, ReadStateNote } from './read-state';
import { Replay } from './replay';
import { StreamBody } from './stream-body';
import { TokenTimeline } from './token-timeline';

export function ResponsePage() {
  const { id } = useParams({ from: '/shell/responses/$id' });
  const { view, offset } = useSearch({ from: '/shell/responses/$id' });
  const navigate = useNavigate({ from: '/responses/$id' });
  const url = `/v1/proxy/${encodeURIComponent(id)}`;
  const read = useStream(url, offset);
  const entry = useQuery(responseQuery(id)).data;
  const resume = `${location.origin}${url}?offset=${encodeURIComponent(read.offset)}&live=long-poll`;
  const ended = read.state === 'ended';
  return (
    <Page
      title="Response"
      name={`Response ${id.slice(0, 8)}`}
      lead={<ReadStateNote read={read} />}
      actions={
        <>
          {ended || read.state === 'failed' ? null : <Abort id={id} />}
          <CopyButton text={resume}>Copy resume URL</CopyButton>
          <CopyButton text={`curl -H "Authorization: Bearer $SONDE_TOKEN" ${shellQuote(resume)}`}>
            Copy as curl
          </CopyButton>
        </>
      }
    >
      <EndingNote read={read} />
      {entry?.kind === 'response' ? <DemoHint of="response" url={entry.route ?? ''} /> : null}
      <StreamBody
        read={read}
        view={view}
        offset={offset}
        setView={(next) => void navigate({ search: withParam('view', next), replace: true })}
        setOffset={(next) => void navigate({ search: withParam('offset', next) })}
      />
      <Times id={id} read={read} fromStart={offset === undefined} />
      <Panel title="Request and response">
        <ResponseFacts entry={entry ?? null} read={read} />
      </Panel>
    </Page>
  );
}

function Times({ id, read, fromStart }: { id: string; read: ReadSnapshot; fromStart: boolean }) {
  const ended = read.state === 'ended';
  const timing = useQuery({ ...timingQuery({ response: id }, ended), enabled: read.model.bytes > 0 }).data;
  if (!timing || timing.records.length === 0) return null;
  return (
    <>
      <Panel title="Timing">
        <TokenTimeline timing={timing} ended={ended} />
      </Panel>
      {ended && fromStart ? (
        <Panel title="Replay">
          <Replay model={read.model} timing={timing} />
        </Panel>
      ) : null}
    </>
  );
}

function ResponseFacts({ entry, read }: { entry: StreamEntry | null; read: ReadSnapshot }) {
  const { outcome, fault, upstreamStatus, upstreamHeaders } = read.facts;
  const request = entry?.kind === 'response' ? entry : null;
  return (
    <>
      <Facts
        of={[
          ['Outcome', <Outcome key="outcome" of={outcome} />],
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
                  <span key="request" className="wire">{`${request.method} ${request.upstreamUrl}`}</span>,
                ],
                ['Route', request.route ?? 'none, sent by /v1/proxy'],
                ['Started', exactTime(request.createdAt)],
                ['Readable until', request.expiresAt ? exactTime(request.expiresAt) : 'it is deleted'],
              ] as const)
            : []),
          ['Upstream status', upstreamStatus ?? 'not known yet'],
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

function Outcome({ of }: { of: string | null }) {
  return of === null ? <State tone="info">Being recorded</State> : <Status of={of} />;
}
