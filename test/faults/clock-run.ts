/**
 * The built server while its wall clock, or that of its database, is set and set back. After each return, nothing that
 * was not due is gone, nothing was sent twice, and everything works. Used by the short and the long fault run.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BuiltServer, startBuiltServer } from '../support/built-server.js';
import { FakeTime, removeFaketimeMemory } from '../support/fake-time.js';
import { type Listening, listenHttp } from '../support/listen.js';
import { type PostgresCluster, startPostgres } from '../support/postgres-cluster.js';
import { createRandom, type Random } from '../support/random.js';
import { endsOf, jobOf, pause, postJob, until } from './operators-run.js';

export interface ClockSteps {
  readonly engine: 'SQLite' | 'PostgreSQL';
  readonly steps: number;
  readonly seed: number;
  /** Steps that last longer than a second or two, by their number, in seconds. */
  readonly longer?: Readonly<Record<number, number>>;
}

const LEASE_MS = 2_000;
const DAY_S = 86_400;
const SIZES_S = [2, 5, 30, 300, 3_600, 7_200, DAY_S, 90_000, 31 * DAY_S, 365 * DAY_S, 3_650 * DAY_S];
const CHECKED_AFTER_EACH = 8;
const UNRECORDED_MS = 2_000;
/** A job that is answered after its lease would have ended without heartbeats. */
const SLOW_MS = 2_500;

export async function runClockSteps(options: ClockSteps) {
  const run = await ClockRun.open(options);
  try {
    for (let n = 0; n < options.steps; n++) await run.step(n);
    return await run.finish();
  } finally {
    await run.close();
  }
}

interface Thing {
  readonly what: string;
  /** Returns what is wrong, or undefined. */
  check(): Promise<string | undefined>;
}

class ClockRun {
  readonly #options: ClockSteps;
  readonly #random: Random;
  readonly #folder = mkdtempSync(join(tmpdir(), 'sonde-clock-'));
  readonly #ownTime: FakeTime;
  readonly #databaseTime: FakeTime;
  readonly #things: Thing[] = [];
  readonly #jobs: string[] = [];
  /** How often each path of the upstream, and each webhook, was called. */
  readonly #calls = new Map<string, number>();
  readonly #calledAt = new Map<string, number>();
  /** Webhooks that were answered just before a kill, which may have come before their record. */
  readonly #excused = new Set<string>();
  readonly #wrong: string[] = [];
  #upstream!: Listening;
  #cluster: PostgresCluster | undefined;
  #server!: BuiltServer;
  #args: readonly string[] = [];
  #made = 0;
  readonly counts = {
    steps: 0,
    restarts: 0,
    moved: 0,
    streams: 0,
    responses: 0,
    jobs: 0,
    webhooks: 0,
    checks: 0,
  };

  static async open(options: ClockSteps): Promise<ClockRun> {
    const run = new ClockRun(options);
    try {
      await run.#open();
      return run;
    } catch (error) {
      await run.close();
      throw error;
    }
  }

  private constructor(options: ClockSteps) {
    this.#options = options;
    this.#random = createRandom(options.seed);
    chmodSync(this.#folder, 0o755);
    this.#ownTime = new FakeTime(join(this.#folder, 'own-time'));
    this.#databaseTime = new FakeTime(join(this.#folder, 'database-time'));
  }

  async #open(): Promise<void> {
    this.#upstream = await listenHttp((request, response) => {
      const path = request.url ?? '/';
      const id = request.headers['webhook-id'];
      const called = id === undefined ? path : `webhook ${String(id)}`;
      this.#calls.set(called, (this.#calls.get(called) ?? 0) + 1);
      this.#calledAt.set(called, performance.now());
      request.resume();
      setTimeout(() => response.end(`response to ${path}`), path.startsWith('/slow') ? SLOW_MS : 5);
    });
    const { origin } = this.#upstream;
    const jobs = ['--job-lease-ms', String(LEASE_MS), '--job-poll-ms', '200', '--job-attempts', '5'];
    const open = ['--allow-private', origin, '--proxy-allow', `private:${origin}/*`];
    this.#args = [...jobs, ...open, '--rate-per-minute', '0'];
    if (this.#options.engine === 'PostgreSQL') {
      const { env, isWhole } = this.#databaseTime;
      this.#cluster = await startPostgres([], isWhole ? env : {});
      this.#args = [...this.#args, '--database-url', await this.#cluster.emptyDatabase()];
    }
    await this.#start();
    await this.#send('/api/webhooks', { url: `${origin}/hook`, events: ['hello.done'] });
    await this.#make();
  }

  async #start(): Promise<void> {
    const { env } = this.#ownTime;
    this.#server = await startBuiltServer({ folder: join(this.#folder, 'data'), env, args: this.#args });
  }

  async #restart(): Promise<void> {
    // A job or webhook that a kill interrupts is rightly done again, so a kill waits for them.
    await this.#settled();
    if (this.#random.next() < 0.5) {
      await this.#server.kill();
      for (const [called, at] of this.#calledAt)
        if (called.startsWith('webhook') && performance.now() - at < UNRECORDED_MS) this.#excused.add(called);
    } else await this.#server.stop();
    this.counts.restarts++;
    await this.#start();
  }

  async step(n: number): Promise<void> {
    await this.#make();
    const slow = n % 4 === 1;
    if (slow) await this.#makeJob('/slow');
    const bySeconds = this.#random.pick(SIZES_S) * (this.#random.next() < 0.5 ? -1 : 1);
    const seconds = this.#options.longer?.[n] ?? 1 + this.#random.next();
    const clocks = this.#options.engine === 'SQLite' ? [this.#ownTime] : this.#steppedClocks();
    const from = performance.now();
    for (const clock of clocks) clock.set(bySeconds);
    await this.#make();
    await this.#check(4);
    if (n % 5 === 3) await this.#restart();
    await this.#countMoved(bySeconds);
    await pause(Math.max(0, seconds * 1000 - (performance.now() - from)));
    for (const clock of clocks) clock.set(0);
    if (n % 10 === 7) await this.#restart();
    await this.#make();
    await this.#settled();
    await this.#check(CHECKED_AFTER_EACH);
    this.counts.steps++;
  }

  #steppedClocks(): FakeTime[] {
    if (!this.#databaseTime.isWhole) return [this.#ownTime];
    return this.#random.pick([[this.#ownTime], [this.#databaseTime], [this.#ownTime, this.#databaseTime]]);
  }

  async finish() {
    await this.#settled();
    await this.#check(this.#things.length);
    const twice = [...this.#calls]
      .filter(([what, calls]) => calls > (this.#excused.has(what) ? 2 : 1))
      .map(([what, n]) => `${what} called ${n} times`);
    this.counts.webhooks = [...this.#calls.keys()].filter((what) => what.startsWith('webhook')).length;
    return { ...this.counts, wrong: [...this.#wrong, ...twice] };
  }

  async close(): Promise<void> {
    await this.#server?.kill();
    await this.#cluster?.stop();
    await this.#upstream?.close();
    removeFaketimeMemory();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Whether the clock that was set is the one that the server, or its database, reads. */
  async #countMoved(bySeconds: number): Promise<void> {
    if (this.#ownTime.offsetSeconds === 0) return;
    const response = await fetch(`${this.#server.url}/api/health`);
    const date = Date.parse(response.headers.get('date') ?? '');
    // The date of responses is cached for a second.
    if (Math.abs(date - Date.now() - bySeconds * 1000) < 5_000) this.counts.moved++;
  }

  /** One thing of each kind. */
  async #make(): Promise<void> {
    await this.#makeStream({ 'stream-ttl': '3600' });
    const end = new Date(Date.now() + DAY_S * 1000).toISOString();
    // A date is given by the caller's clock, which is right; a server that is far ahead may take it for past.
    if (this.#ownTime.offsetSeconds === 0) await this.#makeStream({ 'stream-expires-at': end });
    await this.#makeResponse();
    await this.#makeJob('/job');
  }

  async #makeStream(lifetime: Record<string, string>): Promise<void> {
    const path = `/v1/stream/s${++this.#made}`;
    const headers = { 'content-type': 'text/plain', ...lifetime };
    let text = 'first ';
    const created = await this.#call(path, { method: 'PUT', headers, body: text });
    if (created.status !== 201) return void this.#wrong.push(`create ${path}: ${created.status}`);
    this.counts.streams++;
    const append = async () => {
      const { status } = await this.#call(path, { method: 'POST', headers, body: 'more ' });
      if (status !== 204) return `append: ${status}`;
      text += 'more ';
      return undefined;
    };
    await append();
    this.#things.push({
      what: path,
      check: async () => {
        const failed = await append();
        const response = await this.#call(path);
        return (
          failed ??
          (response.text === text ? undefined : `read: ${response.status} ${response.text.slice(0, 80)}`)
        );
      },
    });
  }

  async #makeResponse(): Promise<void> {
    const n = ++this.#made;
    const headers = {
      'upstream-url': `${this.#upstream.origin}/call/${n}`,
      'upstream-method': 'GET',
      'idempotency-key': `key-${n}`,
    };
    const send = () => this.#call('/v1/proxy', { method: 'POST', headers });
    const first = await send();
    const location = first.headers.get('location');
    if (first.status !== 201 || !location)
      return void this.#wrong.push(`proxy ${n}: ${first.status} ${first.text}`);
    this.counts.responses++;
    const { pathname, search } = new URL(location);
    this.#things.push({
      what: `response ${n}`,
      check: async () => {
        const [read, repeat] = [await this.#call(`${pathname}${search}`), await send()];
        const isRight = read.text === `response to /call/${n}` && repeat.status === 200;
        return isRight
          ? undefined
          : `read ${read.status}, repeat ${repeat.status}: ${read.text} ${repeat.text}`;
      },
    });
  }

  async #makeJob(path: string): Promise<void> {
    const jobId = await postJob(() => this.#server.url, `${this.#upstream.origin}${path}/${++this.#made}`);
    this.#jobs.push(jobId);
    this.counts.jobs++;
    this.#things.push({
      what: `job ${jobId}`,
      check: async () => {
        const job = await jobOf(this.#server.url, jobId);
        if (!job) return 'is gone';
        return job.status !== 'done' || (await endsOf(this.#server.url, jobId)) === 1
          ? undefined
          : 'ended twice';
      },
    });
  }

  /** Resolves when every job has ended and its webhook was heard. */
  async #settled(): Promise<void> {
    await until(
      'jobs end although the clock was set',
      async () => {
        for (const jobId of this.#jobs.splice(0)) {
          if ((await jobOf(this.#server.url, jobId))?.status !== 'done') this.#jobs.push(jobId);
        }
        return this.#jobs.length === 0;
      },
      60_000,
    );
    const heard = () => [...this.#calls.keys()].filter((what) => what.startsWith('webhook')).length;
    await until(
      'webhooks are called although the clock was set',
      async () => heard() >= this.counts.jobs,
      60_000,
    );
  }

  /** Checks the oldest, the newest and some others. */
  async #check(count: number): Promise<void> {
    const picked = [...this.#things.slice(0, 3), ...this.#things.slice(-3)];
    while (picked.length < Math.min(count, this.#things.length)) picked.push(this.#random.pick(this.#things));
    for (const { what, check } of new Set(count >= this.#things.length ? this.#things : picked)) {
      this.counts.checks++;
      const wrong = await check();
      if (wrong === undefined) continue;
      const clocks = `${this.#ownTime.offsetSeconds} s, database ${this.#databaseTime.offsetSeconds} s`;
      this.#wrong.push(`step ${this.counts.steps} (clock ${clocks}): ${what}: ${wrong}`);
    }
  }

  async #call(path: string, init?: RequestInit) {
    const response = await fetch(`${this.#server.url}${path}`, init);
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  async #send(path: string, body: unknown): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    const response = await this.#call(path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (response.status !== 201) throw new Error(`${path}: ${response.status} ${response.text}`);
  }
}
