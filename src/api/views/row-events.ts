/**
 * The events of a comparison or suite without its own job: a comparison that belongs to a suite, or a row whose job was
 * already deleted. The events are derived from the row: its start, its end and the state of its explanation.
 */
import type { ComparisonRow, SuiteRow } from '../../compare/index.js';
import { SondeError } from '../../errors.js';
import { EVENT_POLL_MS, type Job, type JobEvent, JobWakes, type Tenant } from '../../jobs/index.js';
import type { AppRecords } from '../records.js';
import type { EventFeed } from './job-events.js';

/** Returns undefined if the job was already deleted. */
export async function jobIfKept(
  { jobs }: AppRecords,
  tenant: Tenant,
  jobId: string,
): Promise<Job | undefined> {
  return jobs.get(tenant, jobId).catch((error: unknown) => {
    if (error instanceof SondeError && error.code === 'JOB_NOT_FOUND') return undefined;
    throw error;
  });
}

type RowEvent = Pick<JobEvent, 'type' | 'message' | 'progressPct' | 'createdAt'>;
type Row = Pick<SuiteRow, 'ts' | 'status'> & Partial<Pick<ComparisonRow, 'resultJson' | 'explanation'>>;

/** Never woken: readers of these events poll, like readers in another process. */
const unwoken = new JobWakes();

export function rowFeed(id: string, row: Row, reload: () => Promise<Row | undefined>): EventFeed {
  const eventsAfter = (of: Row, after: number) =>
    eventsOf(of)
      .map((event, at): JobEvent => {
        const seq = at + 1;
        return { seq, eventId: `${id}:${seq}`, jobId: id, auditId: null, data: null, ...event };
      })
      .filter(({ seq }) => seq > after);
  return {
    ended: hasEnded(row),
    events: async ({ after, limit }) => eventsAfter(row, after).slice(0, limit),
    async *follow({ after, signal }) {
      let at = after;
      while (!signal.aborted) {
        const now = await reload();
        if (!now) return;
        const page = eventsAfter(now, at);
        at = page.at(-1)?.seq ?? at;
        if (page.length > 0) yield page;
        if (hasEnded(now)) return;
        if (page.length === 0) yield page;
        await unwoken.wait({ jobId: id }, EVENT_POLL_MS, signal);
      }
    },
  };
}

function hasEnded({ status, explanation }: Row): boolean {
  return status !== 'running' && explanation?.state !== 'pending';
}

/** In order. An event that a row has produced once is always produced again. */
function eventsOf({ ts, status, resultJson, explanation }: Row): readonly RowEvent[] {
  const events: RowEvent[] = [{ type: 'status_changed', message: 'running', progressPct: 0, createdAt: ts }];
  if (status === 'running') return events;
  // Only a result has the time of its end; otherwise the start is used.
  const createdAt = resultJson ? (JSON.parse(resultJson) as { timestamp: number }).timestamp : ts;
  events.push({ type: 'status_changed', message: status, progressPct: 100, createdAt });
  const state = explanation?.state;
  if (status === 'completed' && (state === 'ready' || state === 'failed')) {
    events.push({ type: 'step_done', message: `explanation ${state}`, progressPct: 100, createdAt });
  }
  return events;
}
