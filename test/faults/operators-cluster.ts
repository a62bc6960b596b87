/**
 * The built server and workers on PostgreSQL while everything around them fails: processes are killed or frozen past
 * their leases, the database is restarted both ways, its connections are cut, and the wire to it stalls.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type BuiltServer, startBuiltServer } from '../support/built-server.js';
import type { Listening } from '../support/listen.js';
import { type PgProxy, startPgProxy } from '../support/pg-proxy.js';
import { type PostgresCluster, startPostgres } from '../support/postgres-cluster.js';
import { endsOf, jobOf, newFolder, openSite, pause, postJob, until } from './operators-run.js';

export interface ClusterFaults {
  readonly kills: number;
  readonly freezes: number;
  readonly fast: number;
  readonly immediate: number;
  /** Rounds in which the administrator terminates every connection to the database. */
  readonly cuts: number;
  readonly stalls: number;
}

const PROGRAM = fileURLToPath(new URL('../../dist/sonde.js', import.meta.url));
const LEASE_MS = 2_000;
const WORKERS = 3;
const CLIENTS = 4;
/** Fewer would prove little; on a slow machine this takes longer than all faults. */
const ACKNOWLEDGED_MIN = 21;
/** The limits that the responses must name. `operators.fault.ts` checks how soon they arrive on an idle machine. */
const STALLED = /stalled: no response within 5000 ms/;
const NOT_READY = /no response within 1500 ms/;

export async function runClusterFaults(faults: ClusterFaults) {
  const run = await ClusterRun.open();
  try {
    await run.work(faults);
    return await run.check();
  } finally {
    await run.close();
  }
}

interface ClusterParts {
  readonly cluster: PostgresCluster;
  readonly url: string;
  readonly proxy: PgProxy;
  readonly site: Listening;
  readonly folder: string;
}

class ClusterRun {
  readonly #parts: ClusterParts;
  readonly #workers: ChildProcess[] = [];
  readonly #planned = new Set<ChildProcess>();
  readonly #ids: string[] = [];
  #server: BuiltServer | undefined;
  #over = false;
  readonly counts = {
    kills: 0,
    freezes: 0,
    fast: 0,
    immediate: 0,
    cuts: 0,
    stalls: 0,
    unplannedExits: 0,
    wrongErrors: 0,
    wrongReady: 0,
    slowestErrorMs: 0,
    slowestReadyMs: 0,
  };

  static async open(): Promise<ClusterRun> {
    const cluster = await startPostgres();
    const url = await cluster.database();
    return new ClusterRun({
      cluster,
      url,
      proxy: await startPgProxy(url),
      site: await openSite(),
      folder: newFolder(),
    });
  }

  private constructor(parts: ClusterParts) {
    this.#parts = parts;
  }

  async work(faults: ClusterFaults): Promise<void> {
    await this.#startServer();
    for (let n = 0; n < WORKERS; n++) this.#workers.push(this.#startWorker());
    const clients = Array.from({ length: CLIENTS }, () => this.#post());
    for (const harm of this.#harms(faults)) {
      await harm();
      this.#notice();
      await pause(300);
    }
    await until('enough jobs are acknowledged', async () => this.#ids.length >= ACKNOWLEDGED_MIN);
    this.#over = true;
    await Promise.all(clients);
  }

  /** Each kind of fault is spread evenly over the whole run. */
  #harms(faults: ClusterFaults): (() => Promise<void>)[] {
    const spread = (count: number, act: () => Promise<void>) =>
      Array.from({ length: count }, (_, n) => ({ at: (n + 0.5) / count, act }));
    return [
      ...spread(faults.kills, () => this.#kill()),
      ...spread(faults.freezes, () => this.#freeze()),
      ...spread(faults.fast, () => this.#restart('fast')),
      ...spread(faults.immediate, () => this.#restart('immediate')),
      ...spread(faults.cuts, () => this.#cut()),
      ...spread(faults.stalls, () => this.#stall()),
    ]
      .sort((a, b) => a.at - b.at)
      .map(({ act }) => act);
  }

  async #startServer(): Promise<void> {
    const { folder, proxy, site } = this.#parts;
    const args = ['--job-concurrency', '2', '--job-lease-ms', String(LEASE_MS), '--rate-per-minute', '0'];
    this.#server = await startBuiltServer({
      folder,
      args: [...args, '--allow-private', site.origin, '--job-attempts', '20'],
      env: { DATABASE_URL: proxy.url },
    });
  }

  #startWorker(): ChildProcess {
    const { folder, proxy, site } = this.#parts;
    const args = ['worker', '--json', '--log-level', 'error', '--data', folder, '--job-poll-ms', '200'];
    const own = ['--job-lease-ms', String(LEASE_MS), '--allow-private', site.origin];
    const child = spawn(process.execPath, [PROGRAM, ...args, ...own], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { PATH: process.env['PATH'] ?? '', DATABASE_URL: proxy.url },
    });
    child.on('exit', () => {
      if (!this.#planned.has(child)) this.counts.unplannedExits++;
    });
    return child;
  }

  async #post(): Promise<void> {
    for (let n = 0; !this.#over; n++) {
      const url = () => this.#server?.url ?? 'http://127.0.0.1:9';
      this.#ids.push(await postJob(url, `${this.#parts.site.origin}/good${n}`));
      await pause(100);
    }
  }

  /** Kills workers, and the server every fifth time. */
  async #kill(): Promise<void> {
    if (this.counts.kills++ % 5 === 4) {
      await this.#server?.end('SIGKILL');
      return this.#startServer();
    }
    const [victim] = this.#workers.splice(0, 1);
    if (!victim) return;
    this.#planned.add(victim);
    victim.kill('SIGKILL');
    if (victim.exitCode === null && victim.signalCode === null) await once(victim, 'exit');
    this.#workers.push(this.#startWorker());
  }

  async #freeze(): Promise<void> {
    const [victim] = this.#workers;
    victim?.kill('SIGSTOP');
    await pause(LEASE_MS + 1_500);
    victim?.kill('SIGCONT');
    this.counts.freezes++;
  }

  async #restart(how: 'fast' | 'immediate'): Promise<void> {
    await this.#parts.cluster.restart(how);
    this.counts[how]++;
  }

  async #cut(): Promise<void> {
    await this.#parts.cluster.sql(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'sonde'",
    );
    this.counts.cuts++;
  }

  /** Requests get an accurate error in time; afterwards everything recovers. */
  async #stall(): Promise<void> {
    const url = this.#server?.url ?? '';
    await until('the server responds', async () => (await timed(`${url}/api/jobs?limit=1`)).status === 200);
    this.#parts.proxy.stall();
    const [ready, request] = await Promise.all([timed(`${url}/api/ready`), timed(`${url}/api/jobs?limit=1`)]);
    this.#parts.proxy.resume();
    const { counts } = this;
    counts.stalls++;
    counts.slowestErrorMs = Math.max(counts.slowestErrorMs, Math.round(request.ms));
    counts.slowestReadyMs = Math.max(counts.slowestReadyMs, Math.round(ready.ms));
    if (request.status !== 503 || !STALLED.test(request.text) || request.retryAfter === null)
      counts.wrongErrors++;
    if (ready.status !== 503 || !NOT_READY.test(ready.text)) counts.wrongReady++;
  }

  #notice(): void {
    if (this.#server?.isRunning()) return;
    throw new Error(`the server exited on its own: ${this.#server?.stderr()}`);
  }

  async check() {
    const url = this.#server?.url ?? '';
    let [lost, endedTwice] = [0, 0];
    for (const jobId of this.#ids) {
      await until('every job ends', async () => {
        const job = await jobOf(url, jobId);
        return job !== undefined && job.status !== 'queued' && job.status !== 'running';
      });
      const ends = await endsOf(url, jobId);
      if (ends === 0) lost++;
      if (ends > 1) endedTwice++;
    }
    return { ...this.counts, acknowledged: this.#ids.length, lost, endedTwice };
  }

  async close(): Promise<void> {
    this.#over = true;
    for (const child of this.#workers) {
      this.#planned.add(child);
      child.kill('SIGCONT');
      child.kill('SIGKILL');
    }
    await this.#server?.end('SIGKILL');
    const { proxy, site, cluster, folder } = this.#parts;
    await proxy.close();
    await site.close();
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function timed(url: string) {
  const from = performance.now();
  const response = await fetch(url).catch(() => undefined);
  const text = (await response?.text()) ?? '';
  const retryAfter = response?.headers.get('retry-after') ?? null;
  return { status: response?.status ?? 0, retryAfter, text, ms: performance.now() - from };
}
