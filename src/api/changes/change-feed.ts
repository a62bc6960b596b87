/**
 * The changes of one tenant while it has readers. Streams report theirs as they are written. Jobs are polled
 * twice a second instead, because another process may run them; a job without watchers costs its writer nothing.
 * Without readers for a while the feed ends, and who comes back later starts over.
 */
import type { Job, JobGlance } from '../../jobs/index.js';
import type { Log } from '../../log.js';
import { type Change, type ChangePage, jobChange } from './change.js';
import { ChangeLog } from './change-log.js';

export const FEED_LIMITS = {
  /** Changes of one stream within this time are one. */
  gatherMs: 250,
  lookMs: 500,
  /** Streams that change within `gatherMs`; beyond it readers fetch everything again. */
  gatheredMax: 500,
  /** Jobs that are polled: this many of the newest, and this many of the running. */
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
  #overflow = false;
  #gathering: ReturnType<typeof setTimeout> | undefined;
  #looking: ReturnType<typeof setInterval> | undefined;
  #look: Promise<void> | undefined;
  #seen: ReadonlyMap<string, JobGlance> | undefined;
  /** A look has failed, so that changes may have been missed. */
  #missed = false;
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

  /** Nothing is kept for a feed without readers. */
  note(change: Change): void {
    if (!this.#started) return;
    const key = `${change.kind} ${change.id}`;
    if (this.#gathered.size < FEED_LIMITS.gatheredMax || this.#gathered.has(key))
      this.#gathered.set(key, change);
    else this.#overflow = true;
    this.#gathering ??= setTimeout(() => this.#pass(), FEED_LIMITS.gatherMs);
  }

  stop(): void {
    clearInterval(this.#looking);
    clearTimeout(this.#gathering);
    this.#started = undefined;
    this.#gathering = undefined;
    this.#seen = undefined;
    this.#gathered.clear();
    // Whatever comes next is not seen by anyone.
    this.#log.reset();
  }

  #pass(): void {
    this.#gathering = undefined;
    const changes = [...this.#gathered.values()];
    this.#gathered.clear();
    if (this.#overflow) this.#log.reset();
    else this.#log.push(changes);
    this.#overflow = false;
  }

  /** Resolves when the jobs are known: what changes afterwards is reported. */
  async #start(): Promise<void> {
    this.#readAt = this.#deps.clock();
    this.#looking = setInterval(() => {
      if (this.#readers === 0 && this.#deps.clock() - this.#readAt > FEED_LIMITS.idleMs) {
        this.stop();
        this.#deps.onIdle?.();
      } else void this.#lookAgain();
    }, FEED_LIMITS.lookMs);
    await this.#lookAgain();
  }

  #lookAgain(): Promise<void> {
    this.#look ??= this.#lookAtJobs()
      .catch((error: unknown) => {
        this.#missed = true;
        this.#deps.log.warn('changes of jobs could not be read', { err: error });
      })
      .finally(() => {
        this.#look = undefined;
      });
    return this.#look;
  }

  async #lookAtJobs(): Promise<void> {
    const known = this.#seen;
    const jobs = await this.#deps.jobs(FEED_LIMITS.jobsSeen);
    const now = new Map(jobs.map((job) => [job.jobId, job]));
    // It was stopped meanwhile.
    if (!this.#started) return;
    this.#seen = now;
    if (this.#missed) {
      this.#missed = false;
      return this.#log.reset();
    }
    if (!known) return;
    const changed = jobs.filter((job) => isNews(job, known.get(job.jobId)));
    const left = [...known.values()].filter(({ jobId, status }) => status === 'running' && !now.has(jobId));
    const ended = await Promise.all(left.map(({ jobId }) => this.#deps.job(jobId)));
    this.#log.push([...changed, ...ended.filter((job) => job !== undefined)].map(jobChange));
  }
}

function isNews(job: JobGlance, known: JobGlance | undefined): boolean {
  return job.status !== known?.status || job.eventSeq !== known.eventSeq;
}
