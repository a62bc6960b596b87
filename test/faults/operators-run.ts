/**
 * What operators do to a deployment, and what happens to it: the parts of the short and the long fault run. Each part
 * returns counts, and throws if acknowledged work is lost, a job ends twice, or a process exits on its own.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BuiltServer, startBuiltServer } from '../support/built-server.js';
import { type Listening, listenHttp } from '../support/listen.js';
import { JOB_OPTIONS, serveForTest } from '../support/serve.js';

const PATIENCE_MS = 300_000;

export interface ShownJob {
  readonly jobId: string;
  readonly status: string;
  readonly attempt: number;
}

export function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'sonde-operators-'));
}

/** Posts a hello job until it is acknowledged; its key makes sure that it is created once. Returns its id. */
export async function postJob(server: () => string, target: string): Promise<string> {
  const key = crypto.randomUUID();
  for (const until = Date.now() + PATIENCE_MS; ; ) {
    try {
      const response = await fetch(`${server()}/api/jobs`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify({ kind: 'hello', url: target }),
      });
      const body = (await response.json()) as { jobId?: string };
      if (body.jobId !== undefined) return body.jobId;
      if (![409, 429, 503].includes(response.status)) throw new Error(`${response.status} to a new job`);
    } catch (thrown) {
      if (!(thrown instanceof TypeError) || Date.now() > until) throw thrown;
    }
    await pause(50);
  }
}

export async function jobOf(server: string, jobId: string): Promise<ShownJob | undefined> {
  const response = await fetch(`${server}/api/jobs/${jobId}`).catch(() => undefined);
  return response?.status === 200 ? ((await response.json()) as ShownJob) : undefined;
}

/** Returns the newest jobs, or none while the server is down. */
async function jobsOf(server: string, limit: number): Promise<readonly ShownJob[]> {
  const response = await fetch(`${server}/api/jobs?limit=${limit}`).catch(() => undefined);
  if (response?.status !== 200) return [];
  const { jobs } = (await response.json()) as { jobs: ShownJob[] };
  return jobs;
}

/** Returns how often the job has its done event. */
export async function endsOf(server: string, jobId: string): Promise<number> {
  const response = await fetch(`${server}/api/jobs/${jobId}/events`);
  const { events } = (await response.json()) as { events: { type: string; message: string }[] };
  return events.filter(({ type, message }) => type === 'status_changed' && message === 'done').length;
}

export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export async function until(what: string, holds: () => Promise<boolean>, ms = PATIENCE_MS): Promise<void> {
  for (const last = Date.now() + ms; !(await holds()); await pause(50)) {
    if (Date.now() > last) throw new Error(`not within ${ms} ms: ${what}`);
  }
}

/** A site whose pages take a moment, and never arrive if they are poison; `onHit` sees every path first. */
export function openSite(onHit: (path: string) => void = () => undefined): Promise<Listening> {
  return listenHttp((request, response) => {
    const path = request.url ?? '/';
    onHit(path);
    if (!path.startsWith('/poison')) setTimeout(() => response.end('ok'), 150);
  });
}

export interface PoisonRun {
  readonly poison: number;
  readonly good: number;
  readonly leaseMs: number;
}

/** Embedded: runs jobs that kill their process among others that do not, and restarts the process each time. */
export async function runPoison({ poison, good, leaseMs }: PoisonRun) {
  const folder = newFolder();
  const hits = new Map<string, number>();
  let server: BuiltServer | undefined;
  let isHit = false;
  const site = await openSite((path) => {
    if (!path.startsWith('/poison')) return;
    hits.set(path, (hits.get(path) ?? 0) + 1);
    isHit = true;
    void server?.end('SIGKILL');
  });
  const pace = ['--job-lease-ms', String(leaseMs), '--job-poll-ms', '100', '--rate-per-minute', '0'];
  const args = [...pace, '--allow-private', site.origin];
  const start = async () => {
    isHit = false;
    server = await startBuiltServer({ folder, args });
    // The server may have started the poison job before it printed its address.
    if (isHit) await server.end('SIGKILL');
  };
  try {
    const idle = await serveForTest({
      dataDir: folder,
      jobs: { ...JOB_OPTIONS, concurrency: 0 },
      net: { allowPrivate: [site.origin] },
    });
    const paths = [
      ...Array.from({ length: poison }, (_, n) => `/poison${n}`),
      ...Array.from({ length: good }, (_, n) => `/good${n}`),
    ];
    const pathOf = new Map<string, string>();
    try {
      for (const path of paths) pathOf.set(await postJob(() => idle.url, `${site.origin}${path}`), path);
    } finally {
      await idle.stop();
    }
    let kills = -1;
    const ended = new Map<string, string>();
    for (const last = Date.now() + PATIENCE_MS; ended.size < paths.length; await pause(50)) {
      if (!server?.isRunning()) {
        kills++;
        await start();
      }
      for (const { jobId, status } of await jobsOf(server?.url ?? '', paths.length))
        if (['done', 'failed', 'canceled'].includes(status)) ended.set(pathOf.get(jobId) ?? '', status);
      if (Date.now() > last) throw new Error(`${ended.size} of ${paths.length} jobs ended`);
    }
    const count = (prefix: string, status: string) =>
      [...ended].filter(([path, how]) => path.startsWith(prefix) && how === status).length;
    return {
      kills,
      goodDone: count('/good', 'done'),
      goodFailed: count('/good', 'failed'),
      poisonFailed: count('/poison', 'failed'),
      hitsMax: Math.max(...hits.values()),
    };
  } finally {
    await server?.end('SIGKILL');
    await site.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
