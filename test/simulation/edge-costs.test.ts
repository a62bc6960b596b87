import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { costTable } from '../../scripts/edge-cost.mjs';
import type { EdgeCounts } from './edge-world.js';
import { create, simulateEdge, untilDone } from './simulate-edge.js';

/**
 * What the platform bills for one of each operation, measured with the product's own classes. The budgets are promises.
 */
const DAY_MS = 86_400_000;
const simulation = simulateEdge();

/** Prints the counts. */
const show = (name: string, counts: EdgeCounts) => {
  process.stdout.write(`${name}: ${JSON.stringify(counts)}\n`);
};

const SAVED = new URL('../../scripts/edge-costs/counts.json', import.meta.url);

/**
 * The counts that docs/DEPLOY-CLOUDFLARE.md is computed from must match. SONDE_UPDATE_EDGE_COUNTS=1 writes them; then
 * replace the table in that page with the output of `node scripts/edge-cost.mjs`.
 */
function compareWithSaved(name: string, counts: EdgeCounts): void {
  show(name, counts);
  const { rowsWritten, rowsRead, alarmsRun, heldMs, workerRequests, workflowRuns } = counts;
  const counted = {
    rowsWritten,
    rowsRead,
    calls: callsIn(counts),
    alarmsRun,
    heldMs,
    workerRequests,
    workflowRuns,
  };
  const saved = JSON.parse(readFileSync(SAVED, 'utf8')) as Record<string, Record<string, number>>;
  if (process.env['SONDE_UPDATE_EDGE_COUNTS'] === '1') {
    saved[name] = counted;
    writeFileSync(SAVED, `${JSON.stringify(saved, null, 2)}\n`);
  }
  // Rows read cost a thousandth of rows written, and change with every statement.
  const { rowsRead: _read, ...billed } = counted;
  for (const [unit, count] of Object.entries(billed)) {
    const expected = saved[name]?.[unit] ?? Number.NaN;
    expect(Math.abs(count - expected), `${name}: ${unit} is ${count}`).toBeLessThanOrEqual(
      1 + expected * 0.1,
    );
  }
}

const callsIn = ({ calls }: EdgeCounts, prefix = '') =>
  Object.entries(calls).reduce((sum, [name, count]) => sum + (name.startsWith(prefix) ? count : 0), 0);

async function proxy(): Promise<string> {
  const headers = { 'upstream-url': 'https://llm.sonde-example.com/v1/chat', 'upstream-method': 'POST' };
  const made = await simulation.world.request('/v1/proxy', { method: 'POST', headers, body: '{}' });
  expect(made.status, await made.clone().text()).toBe(201);
  const { pathname, search } = new URL(made.headers.get('location') ?? '');
  return pathname + search;
}

/**
 * Proxies two responses and returns the second: it removes the first from the tenant's list, which is the usual case.
 */
async function proxyAgain(): Promise<string> {
  await proxy();
  await simulation.world.pass(2 * DAY_MS);
  simulation.world.take();
  return proxy();
}

test('costs of a proxied response without readers', async () => {
  await proxyAgain();
  await simulation.world.pass(30_000);
  const [expiry, ...others] = simulation.world.alarms;
  expect(others).toEqual([]);
  expect(expiry).toMatchObject({ binding: 'HotBuffer' });
  expect(expiry?.at).toBeGreaterThan(Date.now() + DAY_MS - 60_000);
  await simulation.world.pass(DAY_MS + 60_000);
  const counts = simulation.world.take();
  compareWithSaved('proxied response, unread', counts);
  expect(simulation.world.alarms).toEqual([]);
  expect(counts.rowsWritten).toBeLessThanOrEqual(110);
  expect(counts.alarmsRun).toBe(1);
});

test('costs of a proxied response read live once', async () => {
  const location = await proxyAgain();
  const read = await simulation.world.request(`${location}&offset=-1&live=raw`);
  const text = await simulation.world.run(read.text());
  expect(text).toContain('token 599');
  await simulation.world.pass(DAY_MS + 60_000);
  const counts = simulation.world.take();
  compareWithSaved('proxied response, read live', counts);
  expect(counts.rowsWritten).toBeLessThanOrEqual(320);
  expect(counts.alarmsRun).toBe(1);
});

async function compare(): Promise<string> {
  const path = await create(simulation.world, '/api/compare', {
    leftUrl: 'https://staging.sonde-example.com/',
    rightUrl: 'https://www.sonde-example.com/',
  });
  await untilDone(simulation.world);
  return path;
}

test('costs of a comparison, up to the day on which its job is removed', async () => {
  const path = await compare();
  expect(await (await simulation.world.request(path)).json()).toMatchObject({ status: 'completed' });
  // The pair has nothing to wait for; the tenant's object waits for the end of the job's retention.
  expect(simulation.world.alarms.map(({ binding }) => binding)).toEqual(['AuditLedger']);
  expect(simulation.world.alarms[0]?.at).toBeGreaterThan(Date.now() + 29 * DAY_MS);
  await simulation.world.pass(31 * DAY_MS);
  const counts = simulation.world.take();
  compareWithSaved('comparison', counts);
  expect(counts.rowsWritten).toBeLessThanOrEqual(200);
  expect(counts.alarmsRun).toBe(1);
  expect(simulation.world.alarms).toEqual([]);
});

test('costs of an audit of 20 pages, up to the day on which it is removed', async () => {
  const path = await create(simulation.world, '/api/audits', {
    url: 'https://www.sonde-example.com/',
    pages: 20,
  });
  await untilDone(simulation.world);
  expect(await (await simulation.world.request(path)).json()).toMatchObject({ status: 'done' });
  const report = (await (await simulation.world.request(`${path}/report`)).json()) as { pages: unknown[] };
  expect(report.pages).toHaveLength(20);
  await simulation.world.pass(31 * DAY_MS);
  const counts = simulation.world.take();
  compareWithSaved('audit of 20 pages', counts);
  expect(counts.rowsWritten).toBeLessThanOrEqual(500);
  expect(simulation.world.alarms).toEqual([]);
});

test('an append without followers reaches no other object, not even after an eviction', async () => {
  const headers = { 'content-type': 'text/plain' };
  await simulation.world.request('/v1/stream/log', { method: 'PUT', headers });
  await simulation.world.pass(60_000);
  simulation.world.take();
  for (let append = 0; append < 3; append++) {
    const made = await simulation.world.request('/v1/stream/log', {
      method: 'POST',
      headers,
      body: 'line\n',
    });
    expect(made.status).toBe(204);
    await simulation.world.pass(60_000);
  }
  const counts = simulation.world.take();
  show('3 appends that nobody follows', counts);
  expect(callsIn(counts, 'AuditLedger')).toBe(0);
  expect([counts.rowsWritten, counts.alarmsSet, counts.wakeUps]).toEqual([3, 0, 3]);
});

test('removing a stream removes its alarm and writes few rows', async () => {
  const headers = { 'content-type': 'text/plain' };
  await simulation.world.request('/v1/stream/log', { method: 'PUT', headers });
  for (let append = 0; append < 20; append++) {
    await simulation.world.request('/v1/stream/log', { method: 'POST', headers, body: 'line\n' });
  }
  await simulation.world.pass(60_000);
  simulation.world.take();
  const removed = await simulation.world.request('/v1/stream/log', { method: 'DELETE' });
  expect(removed.status).toBe(204);
  await simulation.world.pass(1_000);
  expect(simulation.world.alarms).toEqual([]);
  const counts = simulation.world.take();
  show('a removal', counts);
  expect(counts.rowsWritten).toBeLessThanOrEqual(10);
  expect(callsIn(counts, 'AuditLedger')).toBe(1);
});

test('costs of a day without activity', async () => {
  await simulation.world.request('/v1/stream/log', {
    method: 'PUT',
    headers: { 'content-type': 'text/plain' },
  });
  await compare();
  await proxy();
  await simulation.world.pass(60_000);
  const planned = simulation.world.alarms.filter(({ at }) => at <= Date.now() + DAY_MS);
  simulation.world.take();
  await simulation.world.pass(DAY_MS);
  const counts = simulation.world.take();
  show('a day on which nothing happens', counts);
  // The response expires; everything else sleeps.
  expect(planned).toHaveLength(1);
  expect([counts.alarmsRun, counts.alarmsSet, callsIn(counts)]).toEqual([1, 0, 0]);
});

test('the table of costs is computed from these counts', () => {
  const page = readFileSync(new URL('../../docs/DEPLOY-CLOUDFLARE.md', import.meta.url), 'utf8');
  expect(page).toContain(costTable());
});
