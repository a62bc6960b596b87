/**
 * The events of a comparison or suite that has no job of its own: a comparison of a suite, whose job runs many, and
 * whatever has outlived its job. Its events are derived from its row: that it is running,
 * how it ended, and what became of an explanation.
 */
import type { ComparisonRow, SuiteRow } from '../../compare/index.js';
import { SondeError } from '../../errors.js';
import { EVENT_POLL_MS, type Job, type JobEvent, JobWakes, type Tenant } from '../../jobs/index.js';
import type { AppRecords } from '../records.js';
import type { EventFeed } from './job-events.js';

/** A job that may have been forgotten meanwhile. */
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

export function comparisonFeed(
  row: ComparisonRow,
  look: () => Promise<ComparisonRow | undefined>,
): EventFeed {
  return rowFeed(row, { id: row.comparisonId, look, eventsOf: comparisonEvents, hasEnded: hasExplained });
}

export function suiteFeed(row: SuiteRow, look: () => Promise<SuiteRow | undefined>): EventFeed {
  const hasEnded = ({ status }: SuiteRow) => status !== 'running';
  return rowFeed(row, { id: row.suiteId, look, eventsOf: suiteEvents, hasEnded });
}

type RowEvent = Pick<JobEvent, 'type' | 'message' | 'progressPct' | 'createdAt'>;

interface RowSource<Row> {
  readonly id: string;
  look(): Promise<Row | undefined>;
  /** In order; once a row has produced an event, it always does. */
  eventsOf(row: Row): readonly RowEvent[];
  hasEnded(row: Row): boolean;
}

/** Its readers are not woken: they poll, as readers in another process do. */
const quiet = new JobWakes();

function rowFeed<Row>(row: Row, { id, look, eventsOf, hasEnded }: RowSource<Row>): EventFeed {
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
        const now = await look();
        if (!now) return;
        const page = eventsAfter(now, at);
        at = page.at(-1)?.seq ?? at;
        if (page.length > 0) yield page;
        if (hasEnded(now)) return;
        if (page.length === 0) yield page;
        await quiet.wait({ jobId: id }, EVENT_POLL_MS, signal);
      }
    },
  };
}

function hasExplained({ status, explanation }: ComparisonRow): boolean {
  return status === 'failed' || (status === 'completed' && explanation.state !== 'pending');
}

function comparisonEvents({ ts, status, resultJson, explanation }: ComparisonRow): readonly RowEvent[] {
  const events: RowEvent[] = [{ type: 'status_changed', message: 'running', progressPct: 0, createdAt: ts }];
  if (status === 'running') return events;
  // Of a failed one no time is kept but that of its beginning.
  const createdAt = resultJson === null ? ts : (JSON.parse(resultJson) as { timestamp: number }).timestamp;
  events.push({ type: 'status_changed', message: status, progressPct: 100, createdAt });
  const { state } = explanation;
  if (status === 'completed' && (state === 'ready' || state === 'failed')) {
    events.push({ type: 'step_done', message: `explanation ${state}`, progressPct: 100, createdAt });
  }
  return events;
}

/** No time is kept of a suite but that of its beginning. */
function suiteEvents({ ts, status }: SuiteRow): readonly RowEvent[] {
  const events: RowEvent[] = [{ type: 'status_changed', message: 'running', progressPct: 0, createdAt: ts }];
  if (status !== 'running') {
    events.push({ type: 'status_changed', message: status, progressPct: 100, createdAt: ts });
  }
  return events;
}
