/**
 * Creates streams, jobs and comparisons for several minutes, faster than fixed rates of expiry would remove them. The
 * data folder, the memory, the open files and the expired rows must all stay flat in the end.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startBuiltServer } from '../support/built-server.js';
import { report } from '../support/fault-report.js';
import { listenHttp } from '../support/listen.js';

const MINUTES = Number(process.env['SONDE_SOAK_MINUTES'] ?? 8);
const CLOCK = new URL('../support/hour-later.mjs', import.meta.url).href;
const MB = 1024 * 1024;

/** Per second. */
const STREAMS = 100;
const JOBS = 12;
const COMPARISONS = 1;
const TTL_SECONDS = 5;
const RETENTION_MS = 60_000;
const TICK_MS = 250;
const AHEAD_AFTER_MS = 12_000;
const LANES = 32;
const SAMPLE_MS = 5_000;

interface Sample {
  readonly diskMb: number;
  readonly residentMb: number;
  /** Without the connections of this test, whose number varies. */
  readonly handles: number;
  /** Streams that were created and are not yet removed. */
  readonly streams: number;
  /** Including their events. */
  readonly jobsRemoved: number;
  /** How long the slowest sweep has had a backlog. */
  readonly backlogSeconds: number;
}

const sizeOf = (folder: string): number =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => {
      try {
        return sum + statSync(join(parentPath, name)).size;
      } catch {
        // The file was removed meanwhile.
        return sum;
      }
    }, 0);

const residentMb = (pid: number) =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

function metricsIn(text: string, name: string): Map<string, number> {
  const lines = text.matchAll(new RegExp(`^${name}\\{sweep="([^"]+)"\\} (.+)$`, 'gm'));
  return new Map([...lines].map(([, sweep = '', value]) => [sweep, Number(value)]));
}

const connectionsIn = (text: string) => Number(/^sonde_http_connections_open (.+)$/m.exec(text)?.[1]);

/** A fixed number of connections, however late a tick comes. */
async function inLanes(work: (() => Promise<void>)[]): Promise<void> {
  const lane = async () => {
    for (let next = work.pop(); next; next = work.pop()) await next();
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

test(`data created for ${MINUTES} minutes faster than it once expired leaves nothing behind`, async () => {
  const site = await listenHttp((_request, response) => response.end('<title>a page</title>'));
  const folder = mkdtempSync(join(tmpdir(), 'sonde-growth-'));
  const retention = [
    '--job-retention-ms',
    String(RETENTION_MS),
    '--compare-retention-ms',
    String(RETENTION_MS),
  ];
  const server = await startBuiltServer({
    folder,
    args: [...retention, '--rate-per-minute', '0', '--allow-private', site.origin],
    env: { NODE_OPTIONS: `--import=${CLOCK}` },
  });
  const created = { streams: 0, jobs: 0, comparisons: 0, failed: 0 };
  const samples: Sample[] = [];
  const send = async (method: string, path: string, init: RequestInit) => {
    const response = await fetch(server.url + path, { method, ...init });
    await response.arrayBuffer();
    if (response.status >= 400) created.failed++;
    return response.status < 400;
  };
  const json = (body: unknown) => ({
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const createStream = async () => {
    const headers = { 'content-type': 'text/plain', 'stream-ttl': String(TTL_SECONDS) };
    const body = 'x'.repeat(2_000);
    if (await send('PUT', `/v1/stream/soak/${created.streams}-${crypto.randomUUID()}`, { headers, body }))
      created.streams++;
  };
  const createJob = async () => {
    if (await send('POST', '/api/jobs', json({ kind: 'hello', url: `${site.origin}/` }))) created.jobs++;
  };
  const createComparison = async () => {
    const sides = { leftUrl: `${site.origin}/a${created.comparisons % 200}`, rightUrl: `${site.origin}/b` };
    const request = { ...sides, samples: 1, profile: 'core', explain: false };
    if (await send('POST', '/api/compare', json(request))) created.comparisons++;
  };
  const sample = async () => {
    const text = await (await fetch(`${server.url}/metrics`)).text();
    const removed = metricsIn(text, 'sonde_sweep_removed_total');
    const backlogs = metricsIn(text, 'sonde_sweep_backlog_seconds');
    samples.push({
      diskMb: sizeOf(folder) / MB,
      residentMb: residentMb(server.pid),
      handles: readdirSync(`/proc/${server.pid}/fd`).length - connectionsIn(text),
      streams: created.streams - (removed.get('expired_streams') ?? 0),
      jobsRemoved: removed.get('jobs') ?? 0,
      backlogSeconds: Math.max(0, ...backlogs.values()),
    });
  };
  try {
    // Waits until the server's clocks are ahead, so that nothing is created in the past.
    await new Promise((resolve) => setTimeout(resolve, AHEAD_AFTER_MS));
    const begun = performance.now();
    let sampled = 0;
    let doneUntil = 0;
    for (let now = 0; now < MINUTES * 60_000; now = performance.now() - begun) {
      const from = doneUntil;
      const due = (perSecond: number) =>
        Math.floor((perSecond * now) / 1000) - Math.floor((perSecond * from) / 1000);
      const work = [
        ...Array.from({ length: due(STREAMS) }, () => createStream),
        ...Array.from({ length: due(JOBS) }, () => createJob),
        ...Array.from({ length: due(COMPARISONS) }, () => createComparison),
      ];
      doneUntil = now;
      await inLanes(work);
      if (now - sampled >= SAMPLE_MS) {
        sampled = now;
        await sample();
      }
      await new Promise((resolve) => setTimeout(resolve, TICK_MS));
    }
    const third = samples.slice(samples.length / 2, (samples.length * 3) / 4);
    const last = samples.slice((samples.length * 3) / 4);
    const [before, after] = [third, last].map((some) => ({
      diskMb: mean(some.map(({ diskMb }) => diskMb)),
      residentMb: mean(some.map((each) => each.residentMb)),
      handles: mean(some.map(({ handles }) => handles)),
      streams: mean(some.map(({ streams }) => streams)),
      backlogSeconds: Math.max(...some.map(({ backlogSeconds }) => backlogSeconds)),
    }));
    if (!before || !after) throw new Error('the run was too short to be measured');
    const rounded = Object.fromEntries(
      [before, after].flatMap((part, index) =>
        Object.entries(part).map(([name, value]) => [
          `${name}${index === 0 ? 'Before' : 'After'}`,
          Number(value.toFixed(1)),
        ]),
      ),
    );
    report('growth', { minutes: MINUTES, ...created, ...rounded });
    expect(created.failed).toBe(0);
    expect(after.diskMb).toBeLessThan(before.diskMb * 1.1 + 5);
    expect(after.residentMb).toBeLessThan(before.residentMb * 1.1 + 5);
    expect(after.handles).toBeLessThan(before.handles + 10);
    expect(after.streams).toBeLessThan(STREAMS * 60);
    expect(after.backlogSeconds).toBeLessThan(60);
    expect(samples.at(-1)?.jobsRemoved).toBeGreaterThan(JOBS * 60);
  } finally {
    await server.kill();
    await site.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
