import { expect, test, vi } from 'vitest';
import {
  bench,
  bytes,
  coded,
  PULL,
  settle,
  useSubscriptions,
} from '../../../test/support/subscription-bench.js';
import { mintCallbackToken } from './callback-token.js';

useSubscriptions();

const refusal = (code: string, message: string) =>
  expect.objectContaining({ code, message: expect.stringContaining(message) });

test('a claim contains the wake, its token and the news, and the id of a wake has 20 random characters', async () => {
  await bench.subscribe({ ...PULL, lease_ttl_ms: 2_000 });
  const offset = await bench.append('a/x');
  const wake = await bench.claim();
  expect(wake).toEqual({
    wake_id: expect.stringMatching(/^w_[\w-]{20}$/),
    generation: 1,
    token: expect.stringContaining('.'),
    lease_ttl_ms: 2_000,
    streams: [expect.objectContaining({ path: 'a/x', tail_offset: offset, has_pending: true })],
  });
});

test('the generation in the body must be that of the token', async () => {
  await bench.subscribe(PULL);
  await bench.append('a/x');
  const wake = await bench.claim();
  const wrong = { ...wake, generation: 7 };
  await expect(bench.settle('ack', wrong)).rejects.toEqual(coded('FENCED'));
  await expect(bench.settle('release', wrong)).rejects.toEqual(coded('FENCED'));
  await expect(bench.settle('release', { ...wake, wake_id: 'w_other' })).rejects.toEqual(coded('FENCED'));
  await bench.settle('release', wake);
});

test('a stale caller is fenced off whatever its offsets are', async () => {
  await bench.subscribe(PULL);
  await bench.append('a/x');
  const wake = await bench.claim();
  await vi.advanceTimersByTimeAsync(1_200);
  const acks = [{ stream: 'a/x', offset: 'nonsense' }];
  await expect(bench.settle('ack', wake, { acks })).rejects.toEqual(coded('FENCED'));
});

test('only a genuine token of an existing subscription is accepted', async () => {
  await bench.subscribe(PULL);
  await bench.append('a/x');
  const { token = '', ...wake } = await bench.claim();
  const call = (given: string | undefined, id = 'one') =>
    bench.service.ack({ id, token: given, body: async () => bytes(wake) });
  const forged = mintCallbackToken(new Uint8Array(32), { tenant: 'acme', id: 'one', nonce: '' }, 1);
  for (const given of [undefined, '', 'x', forged, `${token}x`]) {
    await expect(call(given)).rejects.toEqual(coded('TOKEN_INVALID'));
  }
  await expect(call(token, 'other')).rejects.toEqual(coded('TOKEN_INVALID'));
  await expect(call(token)).resolves.toEqual({ ok: true, next_wake: false });
});

test('the message of a refused ack says what is wrong with its offset', async () => {
  await bench.append('other');
  await bench.subscribe(PULL);
  const first = await bench.append('a/x');
  const second = await bench.append('a/x');
  await bench.append('a/y');
  await bench.append('a/y');
  const wake = await bench.claim();
  const ack = (stream: string, offset: string) =>
    bench.settle('ack', wake, { acks: [{ stream, offset }] }).then(
      () => 'accepted',
      (error: Error) => error.message,
    );
  expect(await ack('a/y', first)).toBe('the stream a/y did not return this offset');
  expect(await ack('a/x', 'now')).toBe('the stream a/x did not return this offset');
  expect(await ack('a/x', 'nonsense')).toBe('the stream a/x did not return this offset');
  const beyond = second.replace(/\d{10}$/, '0000000999');
  expect(await ack('a/x', beyond)).toBe('the stream a/x has not reached this offset');
  const next = second.replace(/\d{10}$/, (digits) => String(Number(digits) + 1).padStart(10, '0'));
  expect(await ack('a/x', next)).toBe('the stream a/x has not reached this offset');
  expect(await ack('a/none', first)).toBe('the stream a/none is not followed by this subscription');
  const offset = (await bench.streams.find('stream/acme/other'))?.hash + first.slice(5);
  expect(await ack('other', offset)).toBe('the stream other is not followed by this subscription');
  expect(await ack('a/x', second)).toBe('accepted');
  expect(await ack('a/x', first)).toBe('the stream a/x was already acknowledged beyond this offset');
});

test('a claim of an unknown subscription, of a webhook or without news is refused', async () => {
  await expect(bench.claim()).rejects.toEqual(coded('SUBSCRIPTION_NOT_FOUND'));
  await bench.subscribe();
  await expect(bench.claim()).rejects.toEqual(refusal('INVALID_REQUEST', 'are for pull-wake'));
});

test('a released wake is claimed again at once, with what was appended in the meantime', async () => {
  await bench.subscribe(PULL);
  const first = await bench.append('a/x');
  const wake = await bench.claim();
  await bench.settle('ack', wake, { acks: [{ stream: 'a/x', offset: first }] });
  const second = await bench.append('a/x');
  await bench.settle('release', wake);
  await settle();
  const next = await bench.claim();
  expect(next).toMatchObject({ generation: 2, streams: [{ path: 'a/x', tail_offset: second }] });
});

test('an append during an acknowledgement causes the next wake', async () => {
  await bench.subscribe({ lease_ttl_ms: 60_000 });
  const offset = await bench.append('a/x');
  bench.before = async ({ method }) => {
    if (method !== 'step') return;
    bench.before = undefined;
    await bench.append('a/x');
  };
  const acks = [{ stream: 'a/x', offset }];
  const done = await bench.settle('callback', bench.last, { acks, done: true });
  expect(done).toEqual({ ok: true, next_wake: false });
  await settle();
  expect(bench.delivered.map(({ body }) => body.generation)).toEqual([1, 2]);
});

test('refuses acks with offsets that the stream did not return', async () => {
  await bench.append('other');
  await bench.subscribe(PULL);
  const first = await bench.append('a/x');
  const second = await bench.append('a/x');
  const wake = await bench.claim();
  await bench.settle('ack', wake, { acks: [{ stream: 'a/x', offset: second }] });
  for (const [stream, offset] of [
    ['a/x', first],
    ['a/x', '-1'],
    ['a/x', 'now'],
    ['a/x', 'nonsense'],
    ['a/x', second.replace(/\d$/, '9')],
    ['a/x', second.replace(/^...../, 'zzzzz')],
    ['a/none', second],
    ['other', second],
  ]) {
    await expect(bench.settle('ack', wake, { acks: [{ stream, offset }] })).rejects.toThrow(
      coded('INVALID_OFFSET'),
    );
  }
  await expect(bench.settle('callback', wake)).rejects.toThrow(coded('INVALID_REQUEST'));
  await expect(bench.settle('ack', { ...wake, token: 'x' })).rejects.toThrow(coded('TOKEN_INVALID'));
  await expect(bench.settle('ack', { ...wake, wake_id: 'w_other' })).rejects.toThrow(coded('FENCED'));
});

test('an offset inside a message acknowledges nothing', async () => {
  await bench.subscribe({ ...PULL, webhook: undefined });
  const end = await bench.append('a/x', '{"first":1}');
  await bench.append('a/x', '{"second":2}');
  const wake = await bench.claim();
  const inside = end.replace(/\d{10}$/, '0000000005');
  const ack = (offset: string) => bench.settle('ack', wake, { acks: [{ stream: 'a/x', offset }] });
  await expect(ack(inside)).rejects.toEqual(coded('INVALID_OFFSET'));
  await expect(ack(end)).resolves.toMatchObject({ ok: true });
});

test('a pull-wake is announced, claimed, held, and taken over when its lease expires', async () => {
  await bench.subscribe({ ...PULL, pattern: 'z/*', wake_stream: 'nowhere' }, 'unheard');
  await bench.append('z/x');
  expect(bench.lines).toContainEqual(
    expect.objectContaining({ message: 'a wake could not be written to its stream' }),
  );
  await bench.append('wake', '[]');
  await bench.subscribe(PULL);
  await expect(bench.claim()).rejects.toThrow(coded('NO_PENDING_WORK'));
  const tail = await bench.append('a/x');
  const ann = await bench.claim('ann');
  await expect(bench.claim('bob')).rejects.toMatchObject({
    code: 'ALREADY_CLAIMED',
    details: { current_holder: 'ann', generation: 1 },
  });
  await vi.advanceTimersByTimeAsync(1_200);
  const bob = await bench.claim('bob');
  expect(bob.generation).toBe(2);
  const acks = [{ stream: 'a/x', offset: tail }];
  await expect(bench.settle('ack', ann, { acks, done: true })).rejects.toThrow(coded('FENCED'));
  await expect(bench.settle('release', ann)).rejects.toThrow(coded('FENCED'));
  await expect(bench.settle('ack', { ...bob, token: ann.token ?? '' }, {})).rejects.toThrow(coded('FENCED'));
  await bench.settle('release', bob);
  const again = await bench.claim('cid');
  expect(again.generation).toBe(3);
  expect(await bench.settle('ack', again, { acks, done: true })).toEqual({ ok: true, next_wake: false });
  const wake = await bench.streams.find('stream/acme/wake');
  const rows = bench.database.all('SELECT data FROM chunks WHERE stream_id = ?', [wake?.life ?? '']);
  const wakes = rows.map(({ data }) => JSON.parse(new TextDecoder().decode(data as Uint8Array).slice(0, -1)));
  expect(wakes.map(({ type, generation, stream }) => [type, generation, stream])).toEqual([
    ['wake', 1, 'a/x'],
    ['wake', 2, 'a/x'],
    ['wake', 3, 'a/x'],
  ]);
});

test('a claim includes all appends so far, and a later append causes the next wake', async () => {
  await bench.subscribe({ ...PULL, webhook: undefined });
  const first = await bench.append('a/x');
  const second = await bench.append('a/x');
  const wake = await bench.claim();
  expect(wake.streams).toMatchObject([{ path: 'a/x', tail_offset: second }]);
  const third = await bench.append('a/x');
  const done = (offset: string) =>
    bench.settle('ack', wake, { acks: [{ stream: 'a/x', offset }], done: true });
  expect(first < second && second < third).toBe(true);
  expect(await done(second)).toMatchObject({ next_wake: true });
  expect((await bench.claim()).streams).toMatchObject([{ path: 'a/x', tail_offset: third }]);
});

test('an acknowledgement includes appends to other streams of the wake', async () => {
  await bench.subscribe({ ...PULL, lease_ttl_ms: 60_000 });
  const acks = [];
  for (const stream of ['a/x', 'a/y']) acks.push({ stream, offset: await bench.append(stream) });
  const wake = await bench.claim();
  await bench.settle('ack', wake, { acks });
  await bench.append('a/y');
  expect(await bench.settle('ack', wake, { done: true })).toEqual({ ok: true, next_wake: true });
});
