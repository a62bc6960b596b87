// Overlapping subscriptions, and appends to a stream with many followers.
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { beginRun } from '../streams/processes.mjs';
import { median, short } from '../streams/stats.mjs';
import { bar, line } from './print.mjs';
import { openGrown } from './server.mjs';

const STREAMS = [10, 100, 1_000];
const FOLLOWERS = [10, 100, 1_000];
const OVERLAPPING = 52;
const APPENDS = 20;
const TEXT = { 'content-type': 'text/plain' };
const JSON_TYPE = { 'content-type': 'application/json' };

/** @typedef {Awaited<ReturnType<typeof openGrown>>} Server */

/** @param {Server} server @param {string} path @param {RequestInit} init */
async function ask(server, path, init) {
  const response = await fetch(server.url + path, init);
  const text = await response.text();
  if (response.status >= 400) throw new Error(`${path}: ${response.status} ${text}`);
}

/** @param {Server} server @param {string} id @param {object} more */
const subscribe = (server, id, more) =>
  ask(server, `v1/stream/__ds/subscriptions/${id}`, {
    method: 'PUT',
    headers: JSON_TYPE,
    body: JSON.stringify({ type: 'pull-wake', wake_stream: `wakes/${id}`, ...more }),
  });

const open = () => openGrown(mkdtempSync(join(beginRun(), 'growth-')));

export async function measureCreates() {
  const stalls = [];
  const firsts = [];
  const lasts = [];
  for (const streams of STREAMS) {
    const server = await open();
    for (let n = 0; n < streams; n++) await ask(server, `v1/stream/a/${n}`, { method: 'PUT', headers: TEXT });
    const costs = [];
    let stall = 0;
    for (let n = 0; n < OVERLAPPING; n++) {
      const before = server.cpuMs();
      const from = performance.now();
      await subscribe(server, `s${n}`, { pattern: 'a/*' });
      stall = Math.max(stall, performance.now() - from);
      costs.push(server.cpuMs() - before);
    }
    stalls.push(stall);
    firsts.push(median(costs.slice(0, 5)));
    lasts.push(median(costs.slice(-5)));
    await server.stop();
  }
  line('first subscription, CPU ms', firsts, '(10, 100, 1,000 streams)');
  line(`subscription ${OVERLAPPING}, CPU ms`, lasts);
  line('longest create, ms', stalls);
  const times = (lasts.at(-1) ?? 0) / Math.max(1, firsts.at(-1) ?? 1);
  bar(
    times <= 2,
    `the ${OVERLAPPING}nd over 1,000 streams costs ${short(times)} times the first (at most 2)`,
  );
}

export async function measureFollowers() {
  const wakes = [];
  const costs = [];
  const stalls = [];
  for (const followers of FOLLOWERS) {
    const server = await open();
    await ask(server, 'v1/stream/a/x', { method: 'PUT', headers: TEXT });
    for (let n = 0; n < followers; n++)
      await subscribe(server, `s${n}`, { pattern: n % 2 === 0 ? 'a/*' : `b${n}/*` });
    await server.quiet();
    const idle = server.cpuMs();
    await ask(server, 'v1/stream/a/x', { method: 'POST', headers: TEXT, body: 'x' });
    await server.quiet();
    const before = server.cpuMs();
    wakes.push(before - idle);
    let stall = 0;
    for (let n = 0; n < APPENDS; n++) {
      const from = performance.now();
      await ask(server, 'v1/stream/a/x', { method: 'POST', headers: TEXT, body: 'x' });
      stall = Math.max(stall, performance.now() - from);
    }
    await server.quiet();
    costs.push((server.cpuMs() - before) / APPENDS);
    stalls.push(stall);
    await server.stop();
  }
  line('append that wakes half of them, CPU ms', wakes, '(10, 100, 1,000 subscriptions)');
  line('append while they are awake, CPU ms', costs);
  line('longest append, ms', stalls);
  const followed = ((FOLLOWERS.at(-1) ?? 1) - (FOLLOWERS[0] ?? 0)) / 2;
  const each = ((costs.at(-1) ?? 0) - (costs[0] ?? 0)) / followed;
  bar(each <= 0.012, `a follower costs ${short(each * 1000)} µs of an append (at most 12, 120 before)`);
}
