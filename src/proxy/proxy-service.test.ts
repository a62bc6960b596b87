/** Deleting, aborting, recovering and stopping, and what each leaves behind. */
import { describe, expect, test } from 'vitest';
import { answer, idOf, silence, useProxyService } from '../../test/support/proxy-service-bench.js';
import { FULL_DISK, settle } from '../../test/support/pump-bench.js';
import { ScriptedBody } from '../../test/support/scripted-body.js';

const bench = useProxyService();

const ABORT = new URLSearchParams({ action: 'abort' });

async function arriving() {
  const body = new ScriptedBody();
  bench.reply = () => answer(200, [], body);
  const id = idOf(await bench.create());
  return { id, body, find: () => bench.pumps.service.find(`proxy/${id}`) };
}

describe('DELETE', () => {
  test('stops the upstream and removes the stream', async () => {
    const { id, body, find } = await arriving();
    expect(await bench.service.remove(id, 'acme')).toEqual({ status: 204, headers: {} });
    expect(body.canceled).toBeGreaterThan(0);
    expect([bench.service.running, await find()]).toEqual([0, undefined]);
    expect(bench.ends).toMatchObject([[{ outcome: 'aborted' }, {}]]);
  });

  test('of a stream that does not exist, or of another tenant, changes nothing', async () => {
    const { id, body, find } = await arriving();
    for (const [name, tenant] of [
      [id, 'other'],
      ['x', 'acme'],
    ] as const)
      expect((await bench.service.remove(name, tenant)).status).toBe(204);
    expect(await find()).toBeDefined();
    expect(body.canceled).toBe(0);
  });

  test('that the store refuses fails', async () => {
    const { id, body } = await arriving();
    body.end();
    await bench.service.quiet();
    bench.pumps.failWith = FULL_DISK;
    await expect(bench.service.remove(id, 'acme')).rejects.toMatchObject({ code: 'STORAGE_FULL' });
  });
});

test('an abort stops the upstream, and can be repeated', async () => {
  const { id, body, find } = await arriving();
  for (let n = 0; n < 2; n++)
    expect(await bench.service.abort(id, ABORT)).toEqual({ status: 204, headers: {} });
  expect(body.canceled).toBeGreaterThan(0);
  expect(JSON.parse((await find())?.metadata ?? '').outcome).toBe('aborted');
});

describe('quiet', () => {
  test('waits for requests without a response and for responses in progress', async () => {
    let isQuiet = false;
    bench.reply = silence;
    const waiting = bench.create({ 'idempotency-key': 'quiet' });
    const { body } = await (async () => {
      await settle();
      return arriving();
    })();
    const quiet = bench.service.quiet().then(() => {
      isQuiet = true;
    });
    await settle();
    await bench.service.abortByKey({ tenant: 'acme', key: 'quiet', query: ABORT });
    await waiting;
    await settle();
    expect(isQuiet).toBe(false);
    body.end();
    await quiet;
    expect(bench.service.running).toBe(0);
  });

  test('waits for a request even if no response is in progress', async () => {
    let isQuiet = false;
    bench.reply = silence;
    const waiting = bench.create({ 'idempotency-key': 'quiet-too' });
    await settle();
    const quiet = bench.service.quiet().then(() => {
      isQuiet = true;
    });
    await settle();
    expect(isQuiet).toBe(false);
    await bench.service.abortByKey({ tenant: 'acme', key: 'quiet-too', query: ABORT });
    await waiting;
    await quiet;
  });
});

describe('the start', () => {
  test('ends lost responses and logs how many there were', async () => {
    await bench.service.start();
    expect(await bench.pumps.stored()).toMatchObject({ closed: true, error: 'PUMP_LOST' });
    expect(bench.lines).toMatchObject([{ level: 'warn', fields: { streams: 1 } }]);
    bench.lines.length = 0;
    await bench.service.recover();
    expect(bench.lines).toEqual([]);
  });

  test('starts the sweep of expired keys, which runs every minute', async () => {
    await bench.begin({ settings: { keepMs: 1 } });
    await bench.create({ 'idempotency-key': 'swept' });
    const swept: [number, number][] = [];
    const store = Object.create(bench.pumps.inline.proxy);
    for (const name of ['pumps', 'pumpEnded'] as const) store[name] = bench.pumps.inline.proxy[name];
    store.sweepCreates = async (now: number, limit: number) => {
      swept.push([now, limit]);
      return 0;
    };
    await bench.begin({ store });
    const { timers } = bench.pumps;
    await bench.service.start();
    expect(timers.set).toEqual([60_000]);
    timers.pass(60_000);
    await settle();
    expect(swept).toEqual([[timers.now(), 100]]);
    await bench.service.stop();
    expect(timers.set).toEqual([]);
  });
});

test('a sweep that fails is logged', async () => {
  await bench.service.sweep();
  expect(bench.lines).toEqual([]);
  await bench.create({ 'idempotency-key': 'to-sweep' });
  bench.pumps.timers.pass(86_400_000);
  bench.pumps.failWith = FULL_DISK;
  await bench.service.sweep();
  expect(bench.lines).toMatchObject([
    { level: 'warn', message: 'expired idempotency keys were not removed' },
  ]);
});

test('a stop ends running responses as failed', async () => {
  const { find } = await arriving();
  await bench.service.stop();
  expect(JSON.parse((await find())?.metadata ?? '')).toMatchObject({
    outcome: 'failed',
    error: 'SERVER_STOPPED',
  });
});
