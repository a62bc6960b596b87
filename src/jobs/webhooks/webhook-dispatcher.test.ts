import { expect, onTestFinished, test, vi } from 'vitest';
import { openInlineRecords } from '../../../test/support/inline-records.js';
import { keepingLog, type LogLine } from '../../../test/support/keeping-log.js';
import { uuidV7 } from '../../uuid.js';
import type { DeliverySettlement, WebhookStore } from './webhook.js';
import {
  DELIVERY_LIMITS,
  type DeliveryClient,
  type DispatcherDeps,
  WebhookDispatcher,
} from './webhook-dispatcher.js';

const KEY = { keyId: 'k', secretOf: () => new Uint8Array(32) };

/** A tenant with a webhook, whose receiver responds as the test wants. */
async function bench(response: (call: number) => number | Error) {
  let now = Date.UTC(2026, 10, 16);
  const records = await openInlineRecords({ clock: () => now });
  const { webhooks, jobs, tenantId } = records;
  const webhookId = uuidV7(now);
  const webhook = { webhookId, tenantId, url: 'https://hooks.example/', keyId: KEY.keyId };
  await webhooks.create({ ...webhook, events: ['hello.done'] }, 10);
  const ids: string[] = [];
  const outbound: DeliveryClient = {
    refusal: () => undefined,
    async deliver({ headers }) {
      ids.push(Object.fromEntries(headers)['webhook-id'] ?? '');
      const given = response(ids.length);
      if (given instanceof Error) throw given;
      return { status: given };
    },
  };
  const endJob = async () => {
    await records.enqueue(1);
    const request = {
      workerId: 'w',
      kinds: ['hello' as const],
      limit: 1,
      leaseMs: 1_000,
      runningMax: 9,
      after: null,
    };
    const { jobs: claimed } = await jobs.claim(request);
    await jobs.settle(claimed.map((job) => ({ ...job, outcome: 'done', events: [], hadSteps: false })));
  };
  /** Waits for the longest delay and runs the dispatcher once. */
  const turn = async () => {
    now += DELIVERY_LIMITS.maxMs;
    const parts = { store: webhooks, outbound, key: KEY, log: keepingLog(), random: () => 0.99 };
    const dispatcher = new WebhookDispatcher({ ...parts, clock: () => now });
    const before = ids.length;
    dispatcher.wake();
    // Long enough for any claim in this thread; a stop before the response would interrupt the delivery.
    for (let n = 0; n < 100 && ids.length === before; n++)
      await new Promise((resolve) => setImmediate(resolve));
    for (let n = 0; n < 20; n++) await new Promise((resolve) => setImmediate(resolve));
    await dispatcher.stop();
  };
  const status = async () => (await webhooks.get(tenantId, webhookId))?.lastStatus;
  return { ids, endJob, turn, status };
}

test('gives up a failing delivery after all attempts, with one id for all of them', async () => {
  const { ids, endJob, turn, status } = await bench((call) =>
    call % 2 === 0 ? 500 : new Error('no connection'),
  );
  await endJob();
  for (let n = 0; n < DELIVERY_LIMITS.attemptsMax + 3; n++) await turn();
  expect(ids).toHaveLength(DELIVERY_LIMITS.attemptsMax);
  expect(new Set(ids).size).toBe(1);
  expect(await status()).toBe('500');
});

test('does not resend a successful delivery, and the next one has its own id', async () => {
  const { ids, endJob, turn, status } = await bench((call) => (call < 3 ? 503 : 204));
  await endJob();
  for (let n = 0; n < 5; n++) await turn();
  expect(ids).toHaveLength(3);
  expect(await status()).toBe('204');
  await endJob();
  await turn();
  expect(ids).toHaveLength(4);
  expect(ids[3]).not.toBe(ids[0]);
});

/** A dispatcher with an empty store, and how often the store was polled. */
function idle(claimDue: () => Promise<[]> = async () => []) {
  let asked = 0;
  const store = {
    claimDue: () => {
      asked += 1;
      return claimDue();
    },
  } as unknown as ConstructorParameters<typeof WebhookDispatcher>[0]['store'];
  const outbound: DeliveryClient = { refusal: () => undefined, deliver: async () => ({ status: 204 }) };
  const deps = { store, outbound, key: KEY, log: keepingLog(), clock: Date.now, random: () => 0.5 };
  return { dispatcher: new WebhookDispatcher({ ...deps, pollMs: 1_000 }), asked: () => asked };
}

test('polls until stopped, even after a failure of the store', async () => {
  vi.useFakeTimers();
  try {
    for (const claimDue of [async () => [] as [], () => Promise.reject(new Error('down'))]) {
      const { dispatcher, asked } = idle(claimDue);
      dispatcher.start();
      await vi.advanceTimersByTimeAsync(999);
      expect(asked()).toBe(0);
      await vi.advanceTimersByTimeAsync(2_001);
      expect(asked()).toBe(3);
      // A wake replaces the next poll instead of adding one.
      dispatcher.wake();
      await vi.advanceTimersByTimeAsync(999);
      expect(asked()).toBe(4);
      await dispatcher.stop();
      expect(vi.getTimerCount()).toBe(0);
      dispatcher.wake();
      await vi.advanceTimersByTimeAsync(10_000);
      expect(asked()).toBe(4);
    }
  } finally {
    vi.useRealTimers();
  }
});

test('delays attempts from five seconds, doubling, up to six hours; any 2xx is a delivery', async () => {
  const settled: DeliverySettlement[] = [];
  let attempt = 1;
  let status = 500;
  const due = { deliveryId: 'd', webhookId: 'w', tenantId: 't', url: 'https://hooks.example/' };
  const store = {
    claimDue: async () => [{ ...due, type: 'hello.done', data: {}, createdAt: 0, attempt }],
    settle: async (settlement: DeliverySettlement) => settled.push(settlement) > 0,
  } as unknown as WebhookStore;
  const outbound: DeliveryClient = { refusal: () => undefined, deliver: async () => ({ status }) };
  const deps = { store, outbound, key: KEY, log: keepingLog(), clock: () => 0, random: () => 0.5 };
  const dispatcher = new WebhookDispatcher(deps);
  for (attempt of [1, 2, 14, 15, 16]) await dispatcher.deliverDue();
  expect(settled.map(({ outcome, delayMs }) => [outcome, delayMs])).toEqual([
    ['again', 2_500],
    ['again', 5_000],
    ['again', 10_800_000],
    ['again', 10_800_000],
    ['failed', 10_800_000],
  ]);
  settled.length = 0;
  attempt = 1;
  for (status of [199, 200, 299, 300]) await dispatcher.deliverDue();
  expect(settled.map(({ outcome, result }) => [outcome, result])).toEqual([
    ['again', '199'],
    ['delivered', '200'],
    ['delivered', '299'],
    ['again', '300'],
  ]);
});

test('redelivers after a minute with the same id if a dispatcher dies', async () => {
  let now = Date.UTC(2026, 10, 16);
  const records = await openInlineRecords({ clock: () => now });
  const webhookId = uuidV7(now);
  const webhook = { webhookId, tenantId: records.tenantId, url: 'https://hooks.example/', keyId: KEY.keyId };
  await records.webhooks.create({ ...webhook, events: ['hello.done'] }, 10);
  await records.enqueue(1);
  await records.finishOne();
  const sent: { readonly id: string; readonly seconds: string; readonly type: string }[] = [];
  const open = (deliver: () => Promise<{ status: number }>) =>
    new WebhookDispatcher({
      ...{ store: records.webhooks, key: KEY, log: keepingLog(), clock: () => now, random: () => 0.5 },
      outbound: {
        refusal: () => undefined,
        deliver({ headers, body }) {
          const { 'webhook-id': id = '', 'webhook-timestamp': seconds = '' } = Object.fromEntries(headers);
          const { type } = JSON.parse(new TextDecoder().decode(body)) as { type: string };
          sent.push({ id, seconds, type });
          return deliver();
        },
      },
    });
  // It never gets a response, so nothing is settled.
  const lost = open(() => new Promise(() => undefined));
  void lost.deliverDue();
  await new Promise((resolve) => setImmediate(resolve));
  const other = open(async () => ({ status: 204 }));
  now += 59_999;
  await other.deliverDue();
  expect(sent).toHaveLength(1);
  now += 1;
  await other.deliverDue();
  expect(sent.map(({ id }) => id)).toEqual([sent[0]?.id, sent[0]?.id]);
  expect(sent[1]).toMatchObject({ type: 'hello.done', seconds: String(Math.floor(now / 1000)) });
});

test('a delivery interrupted by our own stop is left to another process', async () => {
  const settled: unknown[] = [];
  const due = { deliveryId: 'd', webhookId: 'w', tenantId: 't', url: 'https://hooks.example/', attempt: 1 };
  const store = {
    claimDue: async () => [{ ...due, type: 'hello.done', data: {}, createdAt: 0 }],
    settle: async (each: unknown) => settled.push(each),
  } as unknown as WebhookStore;
  const outbound: DeliveryClient = {
    refusal: () => undefined,
    deliver: ({ signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      }),
  };
  const deps = { store, outbound, key: KEY, log: keepingLog(), clock: () => 0, random: () => 0.5 };
  const dispatcher = new WebhookDispatcher(deps);
  dispatcher.wake();
  await new Promise((resolve) => setImmediate(resolve));
  await dispatcher.stop();
  expect(settled).toEqual([]);
});

test('a stop during a full batch claims no other one', async () => {
  let claims = 0;
  let stopped: Promise<void> | undefined;
  const due = Array.from({ length: DELIVERY_LIMITS.atOnce }, (_, n) => ({
    deliveryId: `d${n}`,
    webhookId: 'w',
    tenantId: 't',
    url: 'https://hooks.example/',
    type: 'hello.done',
    data: {},
    createdAt: 0,
    attempt: 1,
  }));
  const store = { claimDue: async () => (claims++ === 0 ? due : []), settle: async () => true };
  const outbound: DeliveryClient = {
    refusal: () => undefined,
    deliver: async () => {
      stopped ??= dispatcher.stop();
      throw new Error('interrupted');
    },
  };
  const deps = { outbound, key: KEY, log: keepingLog(), clock: Date.now, random: () => 0.5 };
  const dispatcher = new WebhookDispatcher({ ...deps, store: store as unknown as WebhookStore });
  dispatcher.wake();
  await vi.waitUntil(() => stopped !== undefined);
  await stopped;
  expect(claims).toBe(1);
});

const DUE = { webhookId: 'w', tenantId: 't', url: 'https://hooks.example/', attempt: 1 };

/** A dispatcher whose store has this many deliveries, and which is told how to deliver one. */
function openFake(count: number, deliver: DeliveryClient['deliver'], more: Partial<DispatcherDeps> = {}) {
  const settled: DeliverySettlement[] = [];
  const lines: LogLine[] = [];
  const left = Array.from({ length: count }, (_, n) => ({
    ...DUE,
    deliveryId: `d${n}`,
    type: 'hello.done' as const,
    data: {},
    createdAt: 0,
  }));
  const store = {
    claimDue: async ({ limit }: { limit: number }) => left.splice(0, limit),
    settle: async (settlement: DeliverySettlement) => settled.push(settlement) > 0,
  } as unknown as WebhookStore;
  const outbound: DeliveryClient = { refusal: () => undefined, deliver };
  const deps = { store, outbound, key: KEY, log: keepingLog(lines), clock: () => 0, random: () => 0.5 };
  return { dispatcher: new WebhookDispatcher({ ...deps, ...more }), settled, lines };
}

test('limits of deliveries', () => {
  expect(DELIVERY_LIMITS).toEqual({
    attemptsMax: 16,
    firstMs: 5_000,
    maxMs: 21_600_000,
    aheadMaxMs: 43_200_000,
    holdMs: 60_000,
    atOnce: 8,
    pollMs: 2_000,
    keepMs: 604_800_000,
  });
});

test.each([
  [0, 1_000],
  [0.75, 2_500],
])('with a random number of %d, polls after %i ms', async (fraction, ms) => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let delivered = 0;
  const deliver = async () => {
    delivered += 1;
    return { status: 204 };
  };
  const { dispatcher } = openFake(1, deliver, { random: () => fraction });
  dispatcher.start();
  await vi.advanceTimersByTimeAsync(ms - 1);
  expect(delivered).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(delivered).toBe(1);
  await dispatcher.stop();
});

test('delivers everything that is due, in several batches', async () => {
  const { dispatcher, settled } = openFake(2 * DELIVERY_LIMITS.atOnce + 1, async () => ({ status: 204 }));
  await dispatcher.deliverDue();
  expect(settled).toHaveLength(17);
});

test('a wake during a delivery does not claim a second time', async () => {
  let claims = 0;
  const claimDue = async () => {
    claims += 1;
    await new Promise((resolve) => setImmediate(resolve));
    return [];
  };
  const { dispatcher } = openFake(0, async () => ({ status: 204 }), {
    store: { claimDue } as unknown as WebhookStore,
  });
  for (let n = 0; n < 3; n++) dispatcher.wake();
  await dispatcher.stop();
  expect(claims).toBe(1);
});

test('a stop waits for a delivery that succeeds and settles it, and leaves no timer', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { dispatcher, settled } = openFake(
    1,
    ({ signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => setImmediate(() => resolve({ status: 204 })));
      }),
  );
  dispatcher.wake();
  await new Promise((resolve) => setImmediate(resolve));
  await dispatcher.stop();
  expect(settled).toMatchObject([{ deliveryId: 'd0', outcome: 'delivered' }]);
  expect(vi.getTimerCount()).toBe(0);
});

test.each([
  [204, []],
  [500, ['a webhook was not delivered']],
])('status %i logs %j', async (status, messages) => {
  const { dispatcher, lines } = openFake(1, async () => ({ status }));
  await dispatcher.deliverDue();
  expect(lines.map(({ message }) => message)).toEqual(messages);
});

test('the timestamp of a delivery is in whole seconds that have passed', async () => {
  const timestamps: (string | undefined)[] = [];
  const deliver: DeliveryClient['deliver'] = async ({ headers }) => {
    timestamps.push(Object.fromEntries(headers)['webhook-timestamp']);
    return { status: 204 };
  };
  await openFake(1, deliver, { clock: () => 5_999 }).dispatcher.deliverDue();
  expect(timestamps).toEqual(['5']);
});
