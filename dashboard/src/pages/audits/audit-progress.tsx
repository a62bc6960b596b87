/** A running audit: its phases with counts, its rate and the time left, and what happened last. */

import type { Audit, JobEvent } from '../../api/types';
import { isForPeople, progressOf, useJobEvents } from '../../live/use-job-events';
import { eventText, Shape } from '../../ui/mark';
import { Panel } from '../../ui/page';
import { count, exactTime, useNow } from '../../ui/time';

/** Where each phase ends within the whole, as the server counts it. */
const PHASES = [
  ['Robots and home page', 3],
  ['Sitemaps', 5],
  ['Pages', 70],
  ['Links and files', 88],
  ['Probes', 96],
  ['Score', 100],
] as const;

const FEED_ROWS = 40;

export function AuditProgress({ audit }: { audit: Audit }) {
  const events = useJobEvents(`/api/audits/${audit.auditId}`);
  const progress = Math.max(audit.progress ?? 0, progressOf(events));
  if (audit.status === 'queued' && events.length === 0) {
    return (
      <section className="panel progress-panel" aria-label="Progress">
        <p className="verdict-line">
          <Shape tone="muted" /> Waiting for a free worker
        </p>
        <p className="muted">Queued at {exactTime(audit.createdAt)}. It starts automatically.</p>
      </section>
    );
  }
  return (
    <>
      <section className="panel progress-panel" aria-label="Progress">
        <p className="verdict-line" role="status">
          <Shape tone="info" /> {PHASES.find(([, end]) => progress < end)?.[0] ?? 'Score'}
        </p>
        <progress max={100} value={progress} aria-label="Progress of the audit" />
        <Pace events={events} progress={progress} />
        <ol className="phases">
          {PHASES.map(([name, end], at) => {
            const begun = progress >= (PHASES[at - 1]?.[1] ?? 0);
            const state = progress >= end ? 'done' : begun ? 'running' : 'waiting';
            return (
              <li key={name} data-state={state}>
                <Shape tone={state === 'done' ? 'pass' : state === 'running' ? 'info' : 'muted'} />
                {name} <span className="muted small">{state}</span>
              </li>
            );
          })}
        </ol>
      </section>
      <Panel title="Latest">
        <ol className="feed">
          {[...events]
            .reverse()
            .filter(isForPeople)
            .slice(0, FEED_ROWS)
            .map((event) => (
              <li key={event.seq}>
                <span className="wire muted small">{new Date(event.createdAt).toLocaleTimeString()}</span>{' '}
                {eventText(event)}
              </li>
            ))}
        </ol>
      </Panel>
    </>
  );
}

function Pace({ events, progress }: { events: readonly JobEvent[]; progress: number }) {
  const now = useNow(1_000);
  // A retried audit continues with earlier results, so its speed is measured from this attempt only.
  const begun = events.findLastIndex(
    ({ type, message }) => type === 'status_changed' && message === 'running',
  );
  const before = events.slice(0, Math.max(0, begun));
  const startedAt = new Date(events[begun]?.createdAt ?? now).getTime();
  const elapsedMs = Math.max(1_000, now - startedAt);
  const pages = latestCount(events, 'pages');
  const checks = latestCount(events, 'checks');
  const done = pages + checks - latestCount(before, 'pages') - latestCount(before, 'checks');
  const gained = progress - progressOf(before);
  const leftMs = gained > 5 ? (elapsedMs / gained) * (100 - progress) : undefined;
  return (
    <p className="pace">
      <span>
        <strong>{pages}</strong> pages read
      </span>
      <span>
        <strong>{checks}</strong> links and files checked
      </span>
      <span>
        <strong>{((done * 1_000) / elapsedMs).toFixed(1)}</strong> per second
      </span>
      <span>{leftMs === undefined ? 'time left is not known yet' : `about ${roundTime(leftMs)} left`}</span>
    </p>
  );
}

/** An estimate is no more precise than this. */
function roundTime(ms: number): string {
  return ms < 90_000
    ? count(Math.max(1, Math.ceil(ms / 1_000)), 'second')
    : count(Math.round(ms / 60_000), 'minute');
}

function latestCount(events: readonly JobEvent[], name: 'pages' | 'checks'): number {
  return events.reduce((most, { data }) => Math.max(most, Number(data?.[name] ?? 0)), 0);
}
