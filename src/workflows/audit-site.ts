/**
 * The audit of a site as durable steps, shared by all engines. A step fetches at most `URLS_PER_STEP` URLs, writes its
 * results to the audit's record and returns only the name of that part; the next steps are derived from the parts. So
 * a run that was killed at any step continues after the last completed step and never repeats a recorded request. Two
 * steps overlap, so that a slow page does not block the rest.
 */
import {
  type AuditOptions,
  type AuditPorts,
  type AuditRecord,
  type AuditReport,
  type Grade,
  PART_NAMES,
  RULES,
  type Rule,
  SiteCrawl,
  scoreAudit,
} from '../audits/index.js';
import { SondeError } from '../errors.js';
import type { RunContext, StepOptions } from '../jobs/index.js';
import { createRedactor } from '../net/index.js';

const URLS_PER_STEP = 20;
/** Each may take a HEAD and two GETs; the edge allows fifty requests per step. */
const CHECKS_PER_STEP = 15;
const SITEMAPS_PER_STEP = 10;
const STEPS_IN_FLIGHT = 2;

/** The texts of a report repeat: the same finding on many pages, and many findings on the same page. */
const TEXTS_REMEMBERED = 5_000;
/** Retries of a step are for failures of the engine; failures of the target are handled per fetch. */
const STEP: StepOptions = { retries: { limit: 2, delayMs: 1_000, backoff: 'exponential' } };

export interface AuditInput {
  readonly url: string;
  readonly options: AuditOptions;
  readonly tenantId?: string;
}

export interface AuditDependencies {
  readonly ports: AuditPorts;
  readonly record: AuditRecord;
  /** All rules by default. */
  readonly rules?: readonly Rule[];
}

export interface AuditOutcome {
  /** Null if nothing of the site could be read. */
  readonly score: number | null;
  readonly grade: Grade | null;
  readonly pages: number;
  readonly issues: number;
  /** The part of the record that holds the report. */
  readonly reportPart: string;
}

export async function auditSite(
  input: AuditInput,
  dependencies: AuditDependencies,
  context: RunContext,
): Promise<AuditOutcome> {
  return new AuditRun(input, dependencies, context).run();
}

class AuditRun {
  readonly #crawl: SiteCrawl;
  readonly #dependencies: AuditDependencies;
  readonly #context: RunContext;
  #percent = 0;

  constructor(input: AuditInput, dependencies: AuditDependencies, context: RunContext) {
    this.#dependencies = dependencies;
    this.#context = context;
    this.#crawl = new SiteCrawl({ ...input, ports: dependencies.ports, signal: context.signal });
  }

  async run(): Promise<AuditOutcome> {
    const crawl = this.#crawl;
    this.#report(0, 'Requesting robots.txt');
    const opening = await this.#part(PART_NAMES.opening, () => crawl.makeOpening());
    crawl.applyOpening(opening);
    this.#report(3, `Read robots.txt and ${opening.homeUrl}`);
    await this.#sitemaps();
    await this.#pages();
    await this.#styles();
    await this.#checks();
    await this.#probes();
    return this.#score();
  }

  async #sitemaps(): Promise<void> {
    const { sitemaps } = this.#crawl;
    for (let at = 0; ; at += 1) {
      const batch = sitemaps.take(SITEMAPS_PER_STEP);
      if (batch.length === 0) break;
      const part = await this.#part(PART_NAMES.sitemaps(at), () => this.#crawl.makeSitemaps(batch));
      this.#crawl.applySitemaps(part);
    }
    this.#report(5, 'Read the sitemaps');
  }

  async #pages(): Promise<void> {
    const { frontier } = this.#crawl;
    let done = frontier.taken;
    let blocked = 0;
    await this.#overlapping({
      next: (at) => {
        const entries = frontier.take(URLS_PER_STEP);
        if (entries.length === 0) return undefined;
        return this.#part(PART_NAMES.crawl(at), () => this.#crawl.makeCrawl(entries));
      },
      apply: async (part) => {
        await this.#crawl.applyCrawl(part);
        done += part.pages.length;
        blocked += part.pages.filter(({ fetch }) => fetch === null).length;
        const share = Math.min(1, done / frontier.expected);
        const crawled = `Crawled ${done - blocked} of ${Math.max(done, frontier.expected)} pages`;
        const message = blocked === 0 ? crawled : `${crawled}, robots.txt disallows ${blocked}`;
        this.#report(5 + share * 65, message, { pages: done - blocked });
      },
    });
  }

  async #styles(): Promise<void> {
    const part = await this.#part(PART_NAMES.styles, () => this.#crawl.makeStyles());
    this.#crawl.applyStyles(part);
  }

  async #checks(): Promise<void> {
    const { checks, frontier } = this.#crawl;
    let done = 0;
    await this.#overlapping({
      next: (at) => {
        const urls = checks.take(CHECKS_PER_STEP);
        if (urls.length === 0) return undefined;
        return this.#part(PART_NAMES.checks(at), () => this.#crawl.makeChecks(urls));
      },
      apply: async (part) => {
        done += part.checks.length;
        const share = done / checks.total;
        this.#report(70 + share * 18, `Checked ${done} of ${checks.total} links and files`, { checks: done });
      },
    });
    await this.#part(PART_NAMES.end, async () => ({
      leftByPages: frontier.waiting,
      leftByDepth: frontier.leftByDepth,
      leftUnchecked: checks.left,
    }));
  }

  async #probes(): Promise<void> {
    const crawl = this.#crawl;
    await this.#part(PART_NAMES.probes, () => crawl.makeProbes());
    this.#report(91, 'Requested other variants of the host, a missing page and llms.txt');
    await this.#part(PART_NAMES.samples, () => crawl.makeSamples());
    this.#report(94, 'Timed a sample of the pages');
    await this.#part(PART_NAMES.owner, () => crawl.makeOwner());
    this.#report(96, 'Scoring');
  }

  async #score(): Promise<AuditOutcome> {
    const { record, ports, rules = RULES } = this.#dependencies;
    const outcome = await this.#context.steps.do('score', STEP, async (): Promise<AuditOutcome> => {
      const parts = {
        rules,
        redactor: createRedactor({ remembered: TEXTS_REMEMBERED }),
        pause: () => ports.clock.sleep(0, this.#context.signal),
      };
      const report: AuditReport = await scoreAudit(record, parts);
      await record.put(PART_NAMES.report, report);
      const { score, grade, counts } = report;
      return { score, grade, pages: counts.pages, issues: counts.issues, reportPart: PART_NAMES.report };
    });
    const { score, grade } = outcome;
    this.#report(100, score === null ? 'Nothing could be read' : `Score ${score}, grade ${grade}`, {
      score: outcome.score,
      grade: outcome.grade,
    });
    return outcome;
  }

  /** Applies parts in the order in which they were started, so that the result does not depend on timing. */
  async #overlapping<T>(work: {
    next(at: number): Promise<T> | undefined;
    apply(part: T): Promise<void>;
  }): Promise<void> {
    const inFlight: Promise<T>[] = [];
    try {
      for (let at = 0; ; ) {
        const started = inFlight.length < STEPS_IN_FLIGHT ? work.next(at) : undefined;
        if (started !== undefined) {
          at += 1;
          // It may fail before it is awaited.
          started.catch(() => {});
          inFlight.push(started);
          continue;
        }
        const first = inFlight.shift();
        if (first === undefined) return;
        await work.apply(await first);
      }
    } finally {
      // After a failure, waits for the rest to settle and ignores their results.
      await Promise.allSettled(inFlight);
    }
  }

  /** Runs one step whose result is a part of the record. */
  async #part<T>(name: string, make: () => Promise<T>): Promise<T> {
    const { record } = this.#dependencies;
    this.#context.signal.throwIfAborted();
    let created: T | undefined;
    await this.#context.steps.do(name, STEP, async () => {
      created = await make();
      await record.put(name, created);
      return { part: name };
    });
    const part = created ?? ((await record.get(name)) as T | undefined);
    if (part === undefined)
      throw new SondeError('INTERNAL', `the audit's record is missing its part ${name}`);
    return part;
  }

  #report(percent: number, message: string, data?: Readonly<Record<string, unknown>>): void {
    this.#percent = Math.max(this.#percent, Math.min(100, Math.floor(percent)));
    this.#context.progress({ percent: this.#percent, message, ...(data && { data }) });
  }
}
