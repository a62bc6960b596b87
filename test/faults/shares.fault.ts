/**
 * Two tenants, one of them at every limit at once and constantly asking for more: the other gets no 429 or 503, and its
 * p99 stays within twice its value while the first is idle. Each round measures both states, so that a busy machine
 * slows both; the median of the rounds counts. Then work of one tenant that lasts: each kind of the other's work takes at
 * most twice its time alone plus a second, on both databases, with ten jobs at once and with one.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { uuidV7 } from '../../src/uuid.js';
import { startBuiltServer } from '../support/built-server.js';
import { report } from '../support/fault-report.js';
import { listenHttp } from '../support/listen.js';
import { type PostgresCluster, startPostgres } from '../support/postgres-cluster.js';
import { openRecordsForTest } from '../support/serve.js';
import { LIMITS, quotasFor, type TenantClient, tenantClient } from '../support/tenant-limits.js';
import { TenantWork } from './tenant-work.js';

const SECRET = 'a-secret-for-the-tokens-of-these-tests-0';
const LIMIT = Number(process.env['SONDE_LIMIT'] ?? 100);
const ROUNDS = 5;
const SAMPLES = 300;
/** How often the first tenant asks for one more of everything. */
const ASK_EVERY_MS = 100;
const P99_FACTOR_MAX = 2;
const LOADS = [
  'ten audits with a delay of a minute',
  'ten audits of a target that answers after 25 s',
  'twenty webhook receivers that answer after 14 s',
  'a thousand probes of one origin',
  'five suites of 300 paths',
] as const;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const TEXT = { headers: { 'content-type': 'text/plain' } };

/** Runs the other tenant's requests one after another and records their times and statuses. */
async function measure(client: TenantClient, statuses: Map<number, number>): Promise<number> {
  const times: number[] = [];
  const timed = async (method: string, path: string, body?: string) => {
    const startedAt = performance.now();
    const response = await client.send(method, path, { ...TEXT, ...(body !== undefined && { body }) });
    await response.arrayBuffer();
    times.push(performance.now() - startedAt);
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
  };
  for (let n = 0; n < SAMPLES / 3; n++) {
    await timed('POST', '/v1/stream/mine', 'hello');
    await timed('GET', '/v1/stream/mine?offset=-1');
    await timed('GET', '/api/jobs?limit=1');
  }
  return times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0;
}

/** Asks for one more of everything until it is stopped; returns how many requests were refused. */
function keepAsking(client: TenantClient): () => Promise<number> {
  let over = false;
  const asked = (async () => {
    let refused = 0;
    while (!over) {
      for (const { name, take } of LIMITS) {
        const response = await take(client, LIMIT, LIMIT);
        if (response.status !== 429) throw new Error(`${name} returned ${response.status} at its limit`);
        await response.text();
        refused++;
      }
      await pause(ASK_EVERY_MS);
    }
    return refused;
  })();
  return () => {
    over = true;
    return asked;
  };
}

test('a tenant at every limit at once neither refuses nor slows the other', async () => {
  const slow: ServerResponse[] = [];
  let onSilent = () => {};
  const silentArrived = () =>
    new Promise<void>((resolve) => {
      onSilent = resolve;
    });
  const upstream = await listenHttp((request, response) => {
    slow.push(response);
    if (request.url === '/silent') return onSilent();
    response.writeHead(200, { 'content-type': 'text/plain' });
    response.write('x');
  });
  const folder = mkdtempSync(join(tmpdir(), 'sonde-shares-'));
  const flags = {
    '--auth': 'jwt',
    '--jwt-secret': SECRET,
    '--rate-per-minute': '0',
    '--sse-ms': '30m',
    '--proxy-allow': `private:127.0.0.1:${upstream.port}`,
    '--allow-private': upstream.origin,
  };
  const server = await startBuiltServer({ folder, args: Object.entries(flags).flat() });
  const stores = await openRecordsForTest(folder);
  const quotas = { greedy: quotasFor(LIMIT), modest: {} };
  for (const [slug, given] of Object.entries(quotas))
    await stores.tenants.create({ id: uuidV7(Date.now()), slug, name: slug, quotas: given });
  await stores.close();
  const options = { url: server.url, secret: SECRET, upstream: upstream.origin, silentArrived };
  const modest = await tenantClient({ ...options, tenant: 'modest' });
  const greedy = await tenantClient({ ...options, tenant: 'greedy' });
  const statuses = new Map<number, number>();
  try {
    await modest.send('PUT', '/v1/stream/mine', TEXT);
    await measure(modest, new Map());
    for (const { take } of LIMITS) for (let n = 0; n < LIMIT; n++) await take(greedy, n, LIMIT);
    const rounds: { idle: number; atLimits: number }[] = [];
    let refused = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const idle = await measure(modest, statuses);
      const stop = keepAsking(greedy);
      const atLimits = await measure(modest, statuses);
      refused += await stop();
      rounds.push({ idle, atLimits });
    }
    const factors = rounds.map(({ idle, atLimits }) => atLimits / idle).sort((a, b) => a - b);
    const factor = factors[Math.floor(ROUNDS / 2)] ?? Number.POSITIVE_INFINITY;
    report('shares', {
      limit: LIMIT,
      refusedToTheFirst: refused,
      statusesOfTheOther: JSON.stringify(Object.fromEntries(statuses)),
      p99Ms: JSON.stringify(rounds.map(({ idle, atLimits }) => [idle, atLimits].map(Math.round))),
      medianFactor: Number(factor.toFixed(2)),
    });
    expect([...statuses.keys()].filter((status) => status >= 400)).toEqual([]);
    expect(factor).toBeLessThan(P99_FACTOR_MAX);
  } finally {
    for (const response of slow) response.destroy();
    greedy.leave();
    modest.leave();
    await server.kill();
    await upstream.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

const FACTOR_MAX = 2;
const SLACK_MS = 1_000;
const MEMORY_MAX_MB = 500;

const memoryMb = (pid: number) =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

async function timesOf(work: TenantWork, runs: number): Promise<Record<string, number>> {
  const times: Record<string, number> = {};
  for (const [kind, run] of Object.entries(work.kinds)) {
    const taken: number[] = [];
    for (let n = 0; n < runs; n++) {
      const startedAt = performance.now();
      await run();
      taken.push(performance.now() - startedAt);
    }
    times[kind] = Math.round(taken.sort((a, b) => a - b)[Math.floor(runs / 2)] ?? 0);
  }
  return times;
}

describe.each(['sqlite', 'postgres'])('work of another tenant on %s', (engine) => {
  let cluster: PostgresCluster | undefined;
  beforeAll(async () => {
    if (engine === 'postgres') cluster = await startPostgres();
  });
  afterAll(() => cluster?.stop());

  test.each([10, 1])('is not delayed by work that lasts, with %d jobs at once', async (concurrency) => {
    const late: string[] = [];
    for (const load of LOADS) {
      const work = await TenantWork.open({
        concurrency,
        ...(cluster && { databaseUrl: await cluster.database() }),
      });
      try {
        const alone = await timesOf(work, 3);
        const idleMb = memoryMb(work.pid);
        await work.loads[load]();
        const beside = await timesOf(work, 1);
        const grownMb = Math.round(memoryMb(work.pid) - idleMb);
        report('shares', {
          ...{ engine, concurrency, load, grownMb },
          ...{ alone: JSON.stringify(alone), beside: JSON.stringify(beside) },
        });
        for (const [kind, ms] of Object.entries(beside))
          if (ms > FACTOR_MAX * (alone[kind] ?? 0) + SLACK_MS) late.push(`${load}: ${kind} took ${ms} ms`);
        if (grownMb > MEMORY_MAX_MB) late.push(`${load}: memory grew by ${grownMb} MB`);
      } finally {
        await work.close();
      }
    }
    expect(late).toEqual([]);
  });
});
