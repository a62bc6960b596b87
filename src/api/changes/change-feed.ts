/**
 * Collects the changes of one tenant while it has readers. Streams report changes as they are written. Jobs are polled
 * twice a second, because another process may run them; a job without readers costs its writer nothing. After a while
 * without readers the feed ends, and a reader that returns later starts over.
 */
import type { Job, JobGlance } from '../../jobs/index.js';
import type { Log } from '../../log.js';
import { type Change, type ChangePage, jobChange } from './change.js';
import { ChangeLog } from './change-log.js';

export const FEED_LIMITS = {
  /** Changes of one stream within this time are merged. */
  gatherMs: 250,
  pollMs: 500,
  /** Limit of streams that change within `gatherMs`; beyond it readers fetch everything again. */
  gatheredMax: 500,
  /** Number of newest jobs and of running jobs to poll. */
  jobsSeen: 50,
  /** A feed without readers ends after this long. */
  idleMs: 60_000,
} as const;

export interface FeedDeps {
  jobs(limit: number): Promise<readonly JobGlance[]>;
  job(jobId: string): Promise<Job | undefined>;
  readonly log: Log;
  readonly clock: () => number;
  /** Called once, after a while without readers. */
  onIdle?(): void;
}

export class ChangeFeed {
  readonly #deps: FeedDeps;
  readonly #log = new ChangeLog();
  readonly #gathered = new Map<string, Change>();
  #hasOverflowed = false;
  #flushTimer: ReturnType<typeof setTimeout> | undefined;
  #pollTimer: ReturnType<typeof setInterval> | undefined;
  #polling: Promise<void> | undefined;
  #seen: ReadonlyMap<string, JobGlance> | undefined;
  /** A poll has failed, so changes may have been missed. */
  #hasMissed = false;
  #started: Promise<void> | undefined;
  #readers = 0;
  #readAt = 0;

  constructor(deps: FeedDeps) {
    this.#deps = deps;
  }

  async page(
    after: string | undefined,
    { waitMs, signal }: { readonly waitMs: number; readonly signal: AbortSignal },
  ): Promise<ChangePage> {
    this.#readers += 1;
    try {
      this.#started ??= this.#start();
      await this.#started;
      const page = this.#log.after(after);
      if (after === undefined || page.reset || page.changes.length > 0) return page;
      await this.#log.wait(waitMs, signal);
      return this.#log.after(after);
    } finally {
      this.#readers -= 1;
      this.#readAt = this.#deps.clock();
    }
  }

  /** Ignored while the feed has no readers. */
  note(change: Change): void {
    if (!this.#started) return;
    const key = `${change.kind} ${change.id}`;
    if (this.#gathered.size < FEED_LIMITS.gatheredMax || this.#gathered.has(key))
      this.#gathered.set(key, change);
    else this.#hasOverflowed = true;
    this.#flushTimer ??= setTimeout(() => this.#flush(), FEED_LIMITS.gatherMs);
  }

  stop(): void {
    clearInterval(this.#pollTimer);
    clearTimeout(this.#flushTimer);
    this.#started = undefined;
    this.#flushTimer = undefined;
    this.#seen = undefined;
    this.#gathered.clear();
    // Later changes are not recorded, so readers must start over.
    this.#log.reset();
  }

  #flush(): void {
    this.#flushTimer = undefined;
    const changes = [...this.#gathered.values()];
    this.#gathered.clear();
    if (this.#hasOverflowed) this.#log.reset();
    else this.#log.push(changes);
    this.#hasOverflowed = false;
  }

  /** Resolves once the jobs were read; later changes are reported. */
  async #start(): Promise<void> {
    this.#readAt = this.#deps.clock();
    this.#pollTimer = setInterval(() => {
      if (this.#readers === 0 && this.#deps.clock() - this.#readAt > FEED_LIMITS.idleMs) {
        this.stop();
        this.#deps.onIdle?.();
      } else void this.#poll();
    }, FEED_LIMITS.pollMs);
    await this.#poll();
  }

  #poll(): Promise<void> {
    this.#polling ??= this.#pollJobs()
      .catch((error: unknown) => {
        this.#hasMissed = true;
        this.#deps.log.warn('changes of jobs could not be read', { err: error });
      })
      .finally(() => {
        this.#polling = undefined;
      });
    return this.#polling;
  }

  async #pollJobs(): Promise<void> {
    const known = this.#seen;
    const jobs = await this.#deps.jobs(FEED_LIMITS.jobsSeen);
    const now = new Map(jobs.map((job) => [job.jobId, job]));
    // The feed was stopped in the meantime.
    if (!this.#started) return;
    this.#seen = now;
    if (this.#hasMissed) {
      this.#hasMissed = false;
      return this.#log.reset();
    }
    if (!known) return;
    const changed = jobs.filter((job) => hasChanged(job, known.get(job.jobId)));
    const left = [...known.values()].filter(({ jobId, status }) => status === 'running' && !now.has(jobId));
    const ended = await Promise.all(left.map(({ jobId }) => this.#deps.job(jobId)));
    this.#log.push([...changed, ...ended.filter((job) => job !== undefined)].map(jobChange));
  }
}

function hasChanged(job: JobGlance, known: JobGlance | undefined): boolean {
  return job.status !== known?.status || job.eventSeq !== known.eventSeq;
}
