/**
 * Follows the events of a job: reads them from the store in order until the job has ended and the last event was read.
 * Writers in this process wake readers directly; events of other processes are found by polling twice per second.
 */
import { isEnded, type Job, type JobEvent } from './job.js';
import type { JobStore } from './job-store.js';

export const EVENT_POLL_MS = 500;
const PAGE = 100;

/** Lets readers wait for new events of a job. */
export interface JobNews {
  /** Resolves when there may be events after `after`, after `ms`, or when the signal is aborted. */
  wait(job: JobAddress & { readonly after: number }, ms: number, signal: AbortSignal): Promise<void>;
}

export type JobAddress = Pick<Job, 'tenantId' | 'jobId'>;

export class JobWakes implements JobNews {
  readonly #waiting = new Map<string, Set<() => void>>();

  get size(): number {
    return this.#waiting.size;
  }

  wake(jobId: string): void {
    for (const done of this.#waiting.get(jobId) ?? []) done();
  }

  /** Resolves on `wake`, after `ms`, or when the signal is aborted. */
  wait({ jobId }: Pick<JobAddress, 'jobId'>, ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(jobId) ?? new Set();
      this.#waiting.set(jobId, waiting);
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        waiting.delete(done);
        if (waiting.size === 0) this.#waiting.delete(jobId);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal.addEventListener('abort', done);
      waiting.add(done);
    });
  }
}

export interface Followed extends JobAddress {
  /** Continues after this sequence number. */
  readonly after: number;
  readonly signal: AbortSignal;
}

/** Pages of events as they arrive; an empty page means that nothing arrived for a while. */
export async function* followEvents(
  store: Pick<JobStore, 'events' | 'get'>,
  news: JobNews,
  { tenantId, jobId, after, signal }: Followed,
): AsyncGenerator<readonly JobEvent[]> {
  let at = after;
  while (!signal.aborted) {
    // The job is read before its events, so that its final event is certainly on the page.
    const job = await store.get(tenantId, jobId);
    const page = await store.events(tenantId, jobId, { after: at, limit: PAGE });
    at = page.at(-1)?.seq ?? at;
    if (page.length > 0) yield page;
    if (page.length === PAGE) continue;
    if (!job || isEnded(job.status)) return;
    if (page.length === 0) yield page;
    await news.wait({ tenantId, jobId, after: at }, EVENT_POLL_MS, signal);
  }
}
