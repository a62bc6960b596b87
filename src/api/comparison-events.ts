/**
 * The events of a comparison that has no job of its own: one of a suite, whose job runs many, and one whose job was
 * forgotten before it. Its row is all there is to tell of, so what it has come to is told: that it runs, how it
 * ended, and what became of its explanation.
 */
import type { ComparisonRow } from '../compare/index.js';
import { EVENT_POLL_MS, type JobEvent, JobWakes } from '../jobs/index.js';
import type { EventFeed } from './job-events.js';

/** Nobody wakes its readers: they look for themselves, as readers in another process do. */
const quiet = new JobWakes();

export function comparisonFeed(
  row: ComparisonRow,
  look: () => Promise<ComparisonRow | undefined>,
): EventFeed {
  return {
    ended: hasEnded(row),
    async events({ after, limit }) {
      return eventsOf(row)
        .filter(({ seq }) => seq > after)
        .slice(0, limit);
    },
    async *follow({ after, signal }) {
      let at = after;
      while (!signal.aborted) {
        const now = await look();
        if (!now) return;
        const page = eventsOf(now).filter(({ seq }) => seq > at);
        at = page.at(-1)?.seq ?? at;
        if (page.length > 0) yield page;
        if (hasEnded(now)) return;
        if (page.length === 0) yield page;
        await quiet.wait({ jobId: row.comparisonId }, EVENT_POLL_MS, signal);
      }
    },
  };
}

function hasEnded({ status, explanation }: ComparisonRow): boolean {
  return status === 'failed' || (status === 'completed' && explanation.state !== 'pending');
}

function eventsOf(row: ComparisonRow): readonly JobEvent[] {
  const { comparisonId, ts, status, resultJson, explanation } = row;
  const event = (seq: number, facts: Pick<JobEvent, 'type' | 'message' | 'progressPct' | 'createdAt'>) => ({
    seq,
    eventId: `${comparisonId}:${seq}`,
    jobId: comparisonId,
    auditId: null,
    data: null,
    ...facts,
  });
  const told = [event(1, { type: 'status_changed', message: 'running', progressPct: 0, createdAt: ts })];
  if (status === 'running') return told;
  // Of a failed one no time is kept but that of its beginning.
  const createdAt = resultJson === null ? ts : (JSON.parse(resultJson) as { timestamp: number }).timestamp;
  told.push(event(2, { type: 'status_changed', message: status, progressPct: 100, createdAt }));
  const { state } = explanation;
  if (status === 'completed' && (state === 'ready' || state === 'failed')) {
    told.push(event(3, { type: 'step_done', message: `explanation ${state}`, progressPct: 100, createdAt }));
  }
  return told;
}
