/** The short version of `clock.fault.ts`, for every test run, and what a single step looks like to a caller. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { startBuiltServer } from '../support/built-server.js';
import { FakeTime, removeFaketimeMemory } from '../support/fake-time.js';
import { listenHttp } from '../support/listen.js';
import { runClockSteps } from './clock-run.js';
import { until } from './operators-run.js';

const DAY_S = 86_400;

afterAll(removeFaketimeMemory);

function newTime(): { folder: string; time: FakeTime } {
  const folder = mkdtempSync(join(tmpdir(), 'sonde-clock-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return { folder, time: new FakeTime(join(folder, 'time')) };
}

test('the wall clock of a program is set, and its monotonic clock is not', () => {
  const { time } = newTime();
  time.set(30 * DAY_S);
  const { wall, monotonic } = time.measure();
  expect(Math.abs(wall - 30 * DAY_S)).toBeLessThan(5);
  expect(Math.abs(monotonic)).toBeLessThan(5);
});

test.each(['SQLite', 'PostgreSQL'] as const)(
  'on %s, nothing is lost and nothing is sent twice while the clock is set and set back',
  async (engine) => {
    const { wrong, steps } = await runClockSteps({ engine, steps: 4, seed: 7 });
    expect({ steps, wrong }).toEqual({ steps: 4, wrong: [] });
  },
  400_000,
);

test('a clock that is ahead for two seconds destroys nothing, hides no key, and says so', async () => {
  const { folder, time } = newTime();
  const upstream = await listenHttp((_request, response) => response.end('the response'));
  onTestFinished(() => upstream.close());
  const args = ['--proxy-allow', `private:${upstream.origin}/*`, '--log-level', 'warn'];
  const start = () => startBuiltServer({ folder: join(folder, 'data'), env: time.env, args });
  let server = await start();
  onTestFinished(() => server.kill());
  const put = (name: string, ttl: string) =>
    fetch(`${server.url}/v1/stream/${name}`, { method: 'PUT', headers: { 'stream-ttl': ttl }, body: 'kept' });
  const textOf = async (name: string) => (await fetch(`${server.url}/v1/stream/${name}`)).text();
  const headers = { 'upstream-url': upstream.origin, 'upstream-method': 'GET', 'idempotency-key': 'one' };
  const proxy = async () => (await fetch(`${server.url}/v1/proxy`, { method: 'POST', headers })).status;
  const attention = async () =>
    ((await (await fetch(`${server.url}/api/ready`)).json()) as { attention: string[] }).attention;
  expect([(await put('day', String(DAY_S))).status, (await put('second', '1')).status]).toEqual([201, 201]);
  expect([await proxy(), await attention()]).toEqual([201, []]);

  time.set(DAY_S + 3_600);
  await until('the step is found', async () => (await attention()).length === 1);
  expect(await attention()).toEqual([expect.stringContaining('the wall clock was set')]);
  expect(await proxy()).toBe(200);
  await until('the short stream has ended', async () => (await put('second', '1')).status === 503);
  const refused = await put('second', '1');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_000);
  expect(await refused.json()).toMatchObject({ error: { code: 'CLOCK_UNTRUSTED' } });
  const lines = server.stderr().match(/the wall clock was set/g);
  expect(lines).toHaveLength(1);

  await server.kill();
  server = await start();
  expect([await textOf('day'), await proxy()]).toEqual(['kept', 200]);
  time.set(0);
  expect([await textOf('day'), await proxy()]).toEqual(['kept', 200]);
  await server.stop();
  server = await start();
  expect([await textOf('day'), await proxy()]).toEqual(['kept', 200]);
}, 60_000);

test('while the clock is right, an expired name can be used again at once', async () => {
  const { folder, time } = newTime();
  const server = await startBuiltServer({ folder: join(folder, 'data'), env: time.env });
  onTestFinished(() => server.kill());
  const put = () =>
    fetch(`${server.url}/v1/stream/short`, { method: 'PUT', headers: { 'stream-ttl': '1' }, body: 'x' });
  expect((await put()).status).toBe(201);
  await until('the name is free', async () => (await put()).status === 201);
});
