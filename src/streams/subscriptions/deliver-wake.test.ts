import { expect, test, vi } from 'vitest';
import {
  bench,
  bytes,
  KEY,
  openBench,
  PULL,
  reply,
  settle,
  useSubscriptions,
} from '../../../test/support/subscription-bench.js';

useSubscriptions();

test.each([
  [199, false],
  [200, true],
  [299, true],
  [300, false],
  [500, false],
])('a response with status %d counts as delivered: %s', async (status, isDelivered) => {
  bench.receiver = async () => reply({ done: true }, status);
  await bench.subscribe();
  await bench.append('a/x');
  expect(await bench.service.view(KEY)).toMatchObject({ status: isDelivered ? 'active' : 'failed' });
  const reasons = bench.lines.map(({ fields }) => fields['why']);
  expect(reasons).toEqual(isDelivered ? [] : [`status ${status}`]);
});

test.each([
  ['{"done":true}', true],
  ['{"done":false}', false],
  ['{"done":"true"}', false],
  ['{"done":1}', false],
  ['{}', false],
  ['null', false],
  ['true', false],
  ['done', false],
  ['', false],
])('the response %j settles the wake: %s', async (text, isDone) => {
  bench.receiver = async () => ({ status: 200, body: new TextEncoder().encode(text) });
  await bench.subscribe();
  const offset = await bench.append('a/x');
  expect((await bench.service.view(KEY))['streams']).toMatchObject([
    { path: 'a/x', acked_offset: isDone ? offset : '-1' },
  ]);
  await vi.advanceTimersByTimeAsync(1_200);
  expect(bench.delivered).toHaveLength(isDone ? 1 : 2);
});

test('a call names its type and is signed with the time in whole seconds', async () => {
  vi.setSystemTime(1_700_000_000_700);
  await bench.subscribe();
  await bench.append('a/x');
  expect(bench.delivered[0]?.headers).toEqual([
    ['content-type', 'application/json'],
    ['webhook-signature', `t=1700000000,kid=ds_test,ed25519=${'A'.repeat(86)}`],
  ]);
  expect(bench.last).toMatchObject({
    subscription_id: 'one',
    callback_url: 'http://sonde.test/v1/stream/__ds/subscriptions/one/callback',
  });
});

test('a response settles the wake although a stream of it is not followed any more, or does not exist', async () => {
  bench.receiver = async () => {
    await bench.service.removeStream(KEY, 'b');
    return reply({ done: true });
  };
  await bench.subscribe({ streams: ['b', 'missing'] });
  await bench.append('a/x');
  await bench.append('b');
  await vi.advanceTimersByTimeAsync(5_000);
  expect(bench.delivered.length).toBeGreaterThan(0);
  expect(bench.delivered.length).toBeLessThan(3);
  expect((await bench.service.view(KEY))['streams']).toMatchObject([{ path: 'a/x' }, { path: 'missing' }]);
  const [row] = bench.database.all('SELECT * FROM subscriptions', []);
  expect(JSON.stringify(row)).toContain('idle');
  expect(bench.lines).toEqual([]);
});

test('a wake lists at most as many streams as the limit, those with news first', async () => {
  openBench({ streamsPerWake: 2 });
  for (const path of ['a/1', 'a/2', 'a/3']) await bench.append(path);
  await bench.subscribe();
  await bench.append('a/3');
  expect(bench.last.streams.map(({ path, has_pending }) => [path, has_pending])).toEqual([
    ['a/3', true],
    ['a/1', false],
  ]);
});

test('an announced wake names its subscription, generation and time, and is not logged', async () => {
  vi.setSystemTime(1_700_000_000_700);
  await bench.append('wake', '[]');
  await bench.subscribe(PULL);
  await bench.append('a/x');
  await settle();
  const wake = await bench.streams.find('stream/acme/wake');
  const [row] = bench.database.all('SELECT data FROM chunks WHERE stream_id = ?', [wake?.life ?? '']);
  const text = new TextDecoder().decode(row?.['data'] as Uint8Array);
  expect(bytes(JSON.parse(text.slice(0, -1)))).toEqual(
    bytes({ type: 'wake', subscription_id: 'one', stream: 'a/x', generation: 1, ts: 1_700_000_000_700 }),
  );
  expect(bench.lines).toEqual([]);
});
