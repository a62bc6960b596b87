/** The server itself: problems first, then its current work, then the last hour. */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { attentionText, systemQuery } from '../../api/system';
import type { System } from '../../api/types';
import { Shape, State } from '../../ui/mark';
import { Facts, Page, Panel } from '../../ui/page';
import { Empty, Loaded } from '../../ui/states';
import { count, duration, size, Time, useNow } from '../../ui/time';
import { LastHour } from './last-hour';

export function SystemPage() {
  const query = useQuery(systemQuery());
  return (
    <Page title="System" lead={<Age at={query.dataUpdatedAt} failed={query.isError} />}>
      <Loaded query={query} what="the state of the system">
        {(system) => (
          <>
            <Problems system={system} />
            <div className="grid">
              <Now system={system} />
              <Work system={system} />
            </div>
            <LastHour points={system.points ?? []} />
            <div className="grid">
              <Workers system={system} />
              <Refusals system={system} />
            </div>
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** Old figures can look healthy, so their age is always shown. */
function Age({ at, failed }: { at: number; failed: boolean }) {
  const now = useNow(1_000);
  if (at === 0) return null;
  const age = now - at < 1_000 ? 'Figures from just now' : `Figures from ${duration(now - at)} ago`;
  return failed ? <State tone="warn">{age}; the last refresh failed</State> : age;
}

function Problems({ system }: { system: System }) {
  const failed = system.health.checks.filter(({ ok }) => !ok);
  const passed = system.health.checks.filter(({ ok }) => ok);
  const tone = failed.length > 0 ? 'critical' : system.attention.length > 0 ? 'warn' : 'pass';
  const words = {
    critical: 'Not ready',
    warn: 'Ready, but something needs attention',
    pass: 'Ready: every check passes',
  }[tone];
  return (
    <section className={`panel verdict is-edge-${tone}`} aria-label="Problems">
      <p className="verdict-line">
        <Shape tone={tone} /> {words}
      </p>
      <ul className="reasons" hidden={failed.length + system.attention.length === 0}>
        {failed.map(({ name, fault }) => (
          <li key={name}>
            {name}: {fault ?? 'the check failed'}
          </li>
        ))}
        {system.attention.map((message) => (
          <li key={message}>{attentionText(message)}</li>
        ))}
      </ul>
      <p className="small muted">Checks that pass: {passed.map(({ name }) => name).join(', ') || 'none'}.</p>
    </section>
  );
}

function Now({ system }: { system: System }) {
  const { storage } = system;
  const facts: (readonly [string, ReactNode])[] = [
    [
      'Version',
      <span key="version" className="wire">
        {system.version}
      </span>,
    ],
    ['Engine', `${system.engine}, ${system.runtime}`],
  ];
  if (system.startedAt !== undefined) facts.push(['Started', <Time key="started" at={system.startedAt} />]);
  if (storage) facts.push(['Disk', `${size(storage.freeBytes)} free of ${size(storage.totalBytes)}`]);
  return (
    <Panel title="This server">
      <Facts of={facts} />
    </Panel>
  );
}

function Work({ system }: { system: System }) {
  const { queue, responses, readers } = system;
  const facts: (readonly [string, ReactNode])[] = [];
  if (queue) {
    facts.push(['Jobs', `${queue.running} running, ${queue.queued} queued`]);
    facts.push([
      'Oldest in the queue',
      queue.oldestQueuedMs === null ? 'none' : duration(queue.oldestQueuedMs),
    ]);
  }
  if (responses) facts.push(['Open responses', String(responses.running)]);
  if (readers) facts.push(['Live readers', String(readers.live)]);
  return (
    <Panel title="Now">
      {facts.length === 0 ? <Empty title="This engine reports no figures" /> : <Facts of={facts} />}
    </Panel>
  );
}

function Workers({ system }: { system: System }) {
  const { workers } = system;
  if (!workers) return null;
  return (
    <Panel title="Workers">
      {workers.length === 0 ? (
        <Empty title="No worker is running a job">Workers appear while they run one.</Empty>
      ) : (
        <ul className="rows">
          {workers.map(({ workerId, jobs, leaseUntil }) => (
            <li key={workerId} className="row">
              <span className="row-main wire">{workerId}</span>
              <span className="row-end small muted">
                {count(jobs, 'job')}, lease ends <Time at={leaseUntil} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function Refusals({ system }: { system: System }) {
  const refusals = system.egress?.refusals;
  if (!refusals) return null;
  return (
    <Panel title="Refused by the egress layer">
      {refusals.length === 0 ? (
        <Empty title="Nothing was refused">
          Requests to private addresses or blocked ports would be counted here, by rule.
        </Empty>
      ) : (
        <ul className="rows">
          {refusals.map(({ rule, count: refused }) => (
            <li key={rule} className="row">
              <span className="row-main wire">{rule}</span>
              <span className="row-end">{refused.toLocaleString('en')}</span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
