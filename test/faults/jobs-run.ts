/**
 * Kills, freezes and thaws workers and crashes the database while a queue is drained. Afterwards every job has ended
 * once, under its last lease; no write of a stale lease was accepted; the jobs of dead workers were reclaimed in time;
 * and the API returned only documented responses.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { expect } from 'vitest';
import { uniqueKey } from '../../src/jobs/index.js';
import { uuidV7 } from '../../src/uuid.js';
import { buildJobProcess } from '../support/build-job-process.js';
import { type PostgresCluster, startPostgres } from '../support/postgres-cluster.js';
import { checkLedger, type Downtime, WATCH_JOBS } from './jobs-ledger.js';

export interface JobsRun {
  readonly workers: number;
  readonly concurrency: number;
  readonly jobs: number;
  readonly leaseMs: number;
  readonly kills: number;
  readonly zombies: number;
  readonly restarts: number;
  readonly patienceMs: number;
}

const PROGRAM = fileURLToPath(new URL('../../dist/sonde.js', import.meta.url));
const TICK_MS = 50;
const FREEZES_MAX = 50;
/** Longer than anything here may take without progress. */
const STUCK_MS = 60_000;

interface Slot {
  child: ChildProcess;
  readonly id: string;
  refused: number;
  /** The steps that it reported as run. */
  readonly steps: string[];
}

export class JobsUnderFaults {
  readonly #run: JobsRun;
  readonly #cluster: PostgresCluster;
  readonly #url: string;
  readonly #program: string;
  readonly #folder: string;
  readonly #slots: Slot[] = [];
  readonly #downtimes: Downtime[] = [];
  readonly responses = new Map<string, number>();
  killed = 0;
  killedHolding = 0;
  thawed = 0;
  refused = 0;
  restarted = 0;
  #started = 0;
  #over = false;

  static async open(run: JobsRun): Promise<JobsUnderFaults> {
    const folder = mkdtempSync(join(tmpdir(), 'sonde-jobs-faults-'));
    const cluster = await startPostgres();
    const url = await cluster.database();
    return new JobsUnderFaults(run, { cluster, url, folder, program: await buildJobProcess(folder) });
  }

  private constructor(
    run: JobsRun,
    parts: { cluster: PostgresCluster; url: string; folder: string; program: string },
  ) {
    this.#run = run;
    this.#cluster = parts.cluster;
    this.#url = parts.url;
    this.#folder = parts.folder;
    this.#program = parts.program;
  }

  async drain(): Promise<void> {
    await this.sql(WATCH_JOBS);
    const calling = this.#callApi(await this.#startApi());
    for (let n = 0; n < this.#run.workers; n++) this.#slots.push(this.#spawn());
    const until = Date.now() + this.#run.patienceMs;
    const faults = this.#faults();
    for (let done = 0; done <= faults.length; done++) {
      // Enqueues a share of the jobs before every fault, so that none comes after the work is done.
      await this.#enqueue(done, faults.length + 1);
      await faults[done]?.();
      if (Date.now() > until) throw new Error(`too slow: ${await this.#state()}`);
    }
    while ((await this.#open()) > 0) {
      if (Date.now() > until) throw new Error(`too slow: ${await this.#state()}`);
      await new Promise((resolve) => setTimeout(resolve, TICK_MS));
    }
    this.#over = true;
    await calling;
  }

  /** All faults, each kind spread evenly over the whole run. */
  #faults(): (() => Promise<void>)[] {
    const { kills, zombies, restarts } = this.#run;
    const spread = (count: number, act: () => Promise<void>) =>
      Array.from({ length: count }, (_, n) => ({ at: (n + 0.5) / count, act }));
    return [
      ...spread(kills, () => this.#kill()),
      ...spread(zombies, () => this.#freeze()),
      ...spread(restarts, () => this.#restart()),
    ]
      .sort((a, b) => a.at - b.at)
      .map(({ act }) => act);
  }

  async #open(): Promise<number> {
    const [row] = await this.sql("SELECT count(*)::int AS n FROM audit_jobs WHERE status <> 'done'");
    return Number(row?.['n']);
  }

  async #state(): Promise<string> {
    const rows = await this.sql('SELECT status, count(*)::int AS n FROM audit_jobs GROUP BY 1');
    const { killed, thawed, restarted } = this;
    return JSON.stringify({ rows, killed, thawed, restarted });
  }

  /** Enqueues the `part`th of `parts` shares. The server has created the tenant. */
  async #enqueue(part: number, parts: number): Promise<void> {
    const { jobs } = this.#run;
    const from = Math.floor((jobs * part) / parts);
    const rows = Array.from({ length: Math.floor((jobs * (part + 1)) / parts) - from }, (_, n) => ({
      id: uuidV7(Date.now()),
      key: uniqueKey(),
      ms: 20 + (((from + n) * 7919) % 181),
    }));
    // Inserted only once, even if the response is lost, because the ids are given.
    await this.sql(
      `INSERT INTO audit_jobs (job_id, tenant_id, kind, max_attempts, idempotency_key, payload_json)
      SELECT g.id, t.id, 'hello', 50, g.key, jsonb_build_object('ms', g.ms)
      FROM json_to_recordset($1) AS g (id uuid, key text, ms int), tenants t ON CONFLICT DO NOTHING`,
      [JSON.stringify(rows)],
    );
  }

  /** Runs a job that kills its worker. */
  poison(maxAttempts: number) {
    return this.runDeadly({ ms: 1, poison: true }, maxAttempts);
  }

  /** Runs one job, with a new worker for each one that it kills. */
  async runDeadly(
    payload: object,
    maxAttempts: number,
  ): Promise<{ attempts: number; steps: string[][]; job: pg.QueryResultRow }> {
    const jobId = uuidV7(Date.now());
    await this.sql(
      "INSERT INTO tenants (id, slug, name) VALUES ($1, 'default', 'Default') ON CONFLICT DO NOTHING",
      [uuidV7(Date.now())],
    );
    await this.sql(
      `INSERT INTO audit_jobs (job_id, tenant_id, kind, max_attempts, idempotency_key, payload_json)
      SELECT $1, id, 'hello', $2, $3, $4 FROM tenants`,
      [jobId, maxAttempts, uniqueKey(), JSON.stringify(payload)],
    );
    let attempts = 0;
    const started = [this.#spawn()];
    this.#slots.push(...started);
    for (;;) {
      const [job] = await this.sql('SELECT status, attempt, last_error FROM audit_jobs WHERE job_id = $1', [
        jobId,
      ]);
      if (job && ['done', 'failed'].includes(String(job['status']))) {
        for (const { child } of this.#slots.splice(0)) child.kill('SIGKILL');
        return { attempts, job, steps: started.map(({ steps }) => steps) };
      }
      const dead = this.#slots.findIndex(({ child }) => child.signalCode !== null);
      if (dead >= 0) {
        attempts++;
        started.push(this.#spawn());
        this.#slots.splice(dead, 1, ...started.slice(-1));
      }
      await new Promise((resolve) => setTimeout(resolve, TICK_MS));
    }
  }

  #spawn(): Slot {
    const { leaseMs, concurrency } = this.#run;
    const id = `w${++this.#started}`;
    const args = [this.#program, this.#url, id, String(leaseMs), String(concurrency)];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const slot: Slot = { child, id, refused: 0, steps: [] };
    if (child.stdout) {
      createInterface({ input: child.stdout }).on('line', (line) => {
        if (line === 'refused') slot.refused++;
        if (line.startsWith('step ')) slot.steps.push(line);
      });
    }
    return slot;
  }

  /** Waits briefly until a worker holds a lease: right after a restart there may be none. */
  async #holder(): Promise<Slot | undefined> {
    const until = Date.now() + 10_000;
    for (;;) {
      const slot = (await this.#holding()).flatMap((holder) =>
        this.#slots.filter(({ id }) => id === holder),
      )[0];
      if (slot || Date.now() > until) return slot;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  /** The worker that holds the most jobs comes first: it will still hold some when it is hit. */
  async #holding(): Promise<string[]> {
    const rows = await this.sql(
      `SELECT locked_by FROM audit_jobs WHERE status = 'running' AND locked_until > now()
      GROUP BY 1 ORDER BY count(*) DESC, 1`,
    );
    return rows.map((row) => String(row['locked_by']));
  }

  async #kill(): Promise<void> {
    const holder = await this.#stopHolder();
    if (holder) this.killedHolding++;
    // If no worker holds a job, any other one is killed, but not the server.
    const slot = holder ?? this.#slots.find(({ id }) => id !== 'api');
    if (!slot) return;
    this.#slots.splice(this.#slots.indexOf(slot), 1);
    slot.child.kill('SIGKILL');
    await once(slot.child, 'exit');
    this.killed++;
    this.#slots.push(this.#spawn());
  }

  /** Once stopped, a worker cannot finish what it holds, however slow the machine is. */
  async #stopHolder(): Promise<Slot | undefined> {
    for (let tries = 0; tries < FREEZES_MAX; tries++) {
      const slot = await this.#holder();
      if (!slot) return undefined;
      slot.child.kill('SIGSTOP');
      if ((await this.#heldBy(slot.id)).length > 0) return slot;
      slot.child.kill('SIGCONT');
    }
    return undefined;
  }

  async #heldBy(workerId: string): Promise<string[]> {
    const rows = await this.sql("SELECT job_id FROM audit_jobs WHERE status = 'running' AND locked_by = $1", [
      workerId,
    ]);
    return rows.map((row) => String(row['job_id']));
  }

  /** Pauses a holder until its jobs belong to another worker, then resumes it; its writes must be refused. */
  async #freeze(): Promise<void> {
    for (let tries = 0; tries < FREEZES_MAX; tries++) {
      const slot = await this.#stopHolder();
      if (!slot) throw new Error('no worker holds a lease');
      const overtaken = await this.#isOvertaken(slot);
      const before = slot.refused;
      slot.child.kill('SIGCONT');
      // Writes it sent before it was stopped may have ended all its jobs; then it is not a zombie.
      if (overtaken) return this.#awaitRefusal(slot, before);
    }
    throw new Error(`no worker held a lease long enough in ${FREEZES_MAX} tries`);
  }

  /** Waits until it holds nothing; returns true if one of its leases was reaped rather than released. */
  async #isOvertaken(slot: Slot): Promise<boolean> {
    const held = await this.#heldBy(slot.id);
    const until = Date.now() + this.#run.leaseMs + STUCK_MS;
    for (;;) {
      const [row] = await this.sql(
        `SELECT count(*) FILTER (WHERE j.status = 'running' AND j.locked_by = $2)::int AS open,
          count(*) FILTER (WHERE EXISTS (
            SELECT FROM job_changes c WHERE c.job_id = j.job_id AND c.was = 'running' AND c.became = 'queued'
              AND c.locked_until <= c.at AND c.locked_by = $2
          ))::int AS reaped
        FROM audit_jobs j WHERE j.job_id = ANY ($1::uuid[])`,
        [held, slot.id],
      );
      if (Number(row?.['open']) === 0) return Number(row?.['reaped']) > 0;
      if (Date.now() > until) throw new Error(`a stopped worker keeps its leases: ${await this.#state()}`);
      await new Promise((resolve) => setTimeout(resolve, TICK_MS));
    }
  }

  async #awaitRefusal(slot: Slot, before: number): Promise<void> {
    const until = Date.now() + 20_000;
    while (slot.refused === before && Date.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    this.thawed++;
    if (slot.refused > before) this.refused++;
  }

  async #restart(): Promise<void> {
    const from = Date.now();
    await this.#cluster.restart();
    this.#downtimes.push({ from, to: Date.now() });
    this.restarted++;
  }

  /** Starts a server without its own workers. */
  async #startApi(): Promise<string> {
    const args = ['serve', '--port', '0', '--auth', 'none', '--json', '--log-level', 'error'];
    const child = spawn(
      process.execPath,
      [PROGRAM, ...args, '--data', this.#folder, '--job-concurrency', '0', '--rate-per-minute', '0'],
      { stdio: ['ignore', 'pipe', 'inherit'], env: { PATH: process.env['PATH'], DATABASE_URL: this.#url } },
    );
    this.#slots.push({ child, id: 'api', refused: 0, steps: [] });
    const [line] = await once(child.stdout as NonNullable<typeof child.stdout>, 'data');
    return (JSON.parse(String(line)) as { url: string }).url;
  }

  /** Calls the API throughout the run. */
  async #callApi(url: string): Promise<void> {
    for (let n = 0; !this.#over; n++) {
      const response = await fetch(`${url}${n % 2 === 0 ? '/api/jobs?limit=2' : '/api/tenant'}`);
      const body = (await response.json()) as { error?: { code: string } };
      const outcome = `${response.status} ${body.error?.code ?? ''}`.trim();
      this.responses.set(outcome, (this.responses.get(outcome) ?? 0) + 1);
      await new Promise((resolve) => setTimeout(resolve, TICK_MS));
    }
  }

  /** Retries while the database is down. */
  async sql(text: string, params: unknown[] = []): Promise<pg.QueryResultRow[]> {
    for (const until = Date.now() + STUCK_MS; ; ) {
      const client = new pg.Client({ connectionString: this.#url });
      client.on('error', () => undefined);
      try {
        await client.connect();
        return (await client.query(text, params)).rows;
      } catch (error) {
        const passing = !(error instanceof pg.DatabaseError) || /^(?:57P|08)/.test(error.code ?? '');
        if (!passing || Date.now() > until) throw error;
        await new Promise((resolve) => setTimeout(resolve, 50));
      } finally {
        await client.end().catch(() => undefined);
      }
    }
  }

  check(): Promise<{ reclaimed: number; slowestMs: number }> {
    return checkLedger((text) => this.sql(text), { jobs: this.#run.jobs, downtimes: this.#downtimes });
  }

  async stop(): Promise<void> {
    this.#over = true;
    for (const { child } of this.#slots) {
      child.kill('SIGCONT');
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    }
    await this.#cluster.stop();
    rmSync(this.#folder, { recursive: true, force: true });
    rmSync(this.#program, { force: true });
  }
}

export async function runJobsUnderFaults(run: JobsRun): Promise<string> {
  const under = await JobsUnderFaults.open(run);
  try {
    const startedAt = Date.now();
    await under.drain();
    const { reclaimed, slowestMs } = await under.check();
    const { killed, thawed, restarted } = under;
    expect({ killed, thawed, restarted }).toEqual({
      killed: run.kills,
      thawed: run.zombies,
      restarted: run.restarts,
    });
    expect(under.killedHolding).toBeGreaterThanOrEqual(Math.ceil(0.9 * run.kills));
    expect(under.refused).toBe(run.zombies);
    const odd = [...under.responses.keys()].filter(
      (outcome) => !/^(?:200|503 STORAGE_UNAVAILABLE)$/.test(outcome),
    );
    expect(odd).toEqual([]);
    return (
      `${run.jobs} jobs done once in ${Math.round((Date.now() - startedAt) / 1000)} s; ${under.killed} kills, ` +
      `${under.killedHolding} of a holder; ${under.thawed} zombies, ${under.refused} refused; ` +
      `${under.restarted} restarts; ${reclaimed} leases reclaimed, the slowest ${slowestMs} ms after its end; ` +
      `API ${JSON.stringify(Object.fromEntries(under.responses))}`
    );
  } finally {
    await under.stop();
  }
}
