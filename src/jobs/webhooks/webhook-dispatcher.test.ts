import { expect, onTestFinished, test, vi } from 'vitest';
import { withMethods } from '../../../test/support/async-port.js';
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

interface Choices extends Partial<DispatcherDeps> {
  /** Replaces methods of the store, to hold up a call or have it fail. */
  readonly replace?: (store: WebhookStore) => Partial<Pick<WebhookStore, 'claimDue'>>;
}

/** A dispatcher with this many deliveries in its store, and what it has asked of the store. */
async function open(
  count: number,
  send: DeliveryClient['deliver'],
  { replace = () => ({}), ...more }: Choices = {},
) {
  let now = 0;
  const records = await openInlineRecords({ clock: () => now });
  const { webhooks, tenantId } = records;
  const webhook = { webhookId: uuidV7(now), tenantId, url: 'https://hooks.example/', keyId: KEY.keyId };
  await webhooks.create({ ...webhook, events: ['hello.done'] }, 10);
  const endJobs = async (jobs: number) => {
    await records.enqueue(jobs);
    for (let n = 0; n < jobs; n++) await records.finishOne();
  };
  await endJobs(count);
  const settled: DeliverySettlement[] = [];
  const lines: LogLine[] = [];
  let claims = 0;
  const { claimDue } = { claimDue: webhooks.claimDue, ...replace(webhooks) };
  const store = withMethods(webhooks, {
    claimDue: (request) => {
      claims += 1;
      return claimDue(request);
    },
    settle: (settlement) => {
      settled.push(settlement);
      return webhooks.settle(settlement);
    },
  });
  const dispatcher = new WebhookDispatcher({
    store,
    outbound: { refusal: () => undefined, deliver: send },
    ...{ key: KEY, log: keepingLog(lines), clock: () => now, random: () => 0.5, ...more },
  });
  /** Delivers what is due, this many times, each after the longest delay. */
  const deliver = async (times: number) => {
    for (let n = 0; n < times; n++) {
      now += DELIVERY_LIMITS.maxMs;
      await dispatcher.deliverDue();
    }
  };
  const status = async () => (await webhooks.get(tenantId, webhook.webhookId))?.lastStatus;
  return { dispatcher, settled, lines, claims: () => claims, endJobs, deliver, status };
}

const accept: DeliveryClient['deliver'] = async () => ({ status: 204 });

const idOf = ({ headers }: Parameters<DeliveryClient['deliver']>[0]) =>
  Object.fromEntries(headers)['webhook-id'];

test('gives up a failing delivery after all attempts, with one id for all of them', async () => {
  const ids: unknown[] = [];
  const { deliver, status } = await open(1, async (call) => {
    if (ids.push(idOf(call)) % 2 === 1) throw new Error('no connection');
    return { status: 500 };
  });
  await deliver(DELIVERY_LIMITS.attemptsMax + 3);
  expect(ids).toHaveLength(DELIVERY_LIMITS.attemptsMax);
  expect(new Set(ids).size).toBe(1);
  expect(await status()).toBe('500');
});

test('does not resend a successful delivery, and the next one has its own id', async () => {
  const ids: unknown[] = [];
  const { deliver, endJobs, status } = await open(1, async (call) => ({
    status: ids.push(idOf(call)) < 3 ? 503 : 204,
  }));
  await deliver(5);
  expect(ids).toHaveLength(3);
  expect(await status()).toBe('204');
  await endJobs(1);
  await deliver(1);
  expect(ids).toHaveLength(4);
  expect(ids[3]).not.toBe(ids[0]);
});

test('polls until stopped, even after a failure of the store', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const failing = () => ({ claimDue: () => Promise.reject(new Error('down')) });
  for (const replace of [() => ({}), failing]) {
    const { dispatcher, claims } = await open(0, accept, { pollMs: 1_000, replace });
    dispatcher.start();
    await vi.advanceTimersByTimeAsync(999);
    expect(claims()).toBe(0);
    await vi.advanceTimersByTimeAsync(2_001);
    expect(claims()).toBe(3);
    // A wake replaces the next poll instead of adding one.
    dispatcher.wake();
    await vi.advanceTimersByTimeAsync(999);
    expect(claims()).toBe(4);
    // Jobs that end shortly after each other cause one claim, and the polls go on.
    for (let n = 0; n < 50; n++) {
      dispatcher.wakeSoon();
      await vi.advanceTimersByTimeAsync(1);
    }
    expect(claims()).toBe(4);
    await vi.advanceTimersByTimeAsync(50);
    expect(claims()).toBe(5);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(claims()).toBe(6);
    await dispatcher.stop();
    expect(vi.getTimerCount()).toBe(0);
    dispatcher.wake();
    dispatcher.wakeSoon();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(claims()).toBe(6);
  }
});

test('delays attempts from five seconds, doubling, up to six hours, and fails after the sixteenth', async () => {
  const { settled, deliver } = await open(1, async () => ({ status: 500 }));
  await deliver(17);
  expect(settled.map(({ delayMs }) => delayMs)).toEqual([
    ...Array.from({ length: 13 }, (_, n) => 2_500 * 2 ** n),
    ...[10_800_000, 10_800_000, 10_800_000],
  ]);
  const outcomes = settled.map(({ outcome }) => outcome);
  expect(outcomes).toEqual([...Array.from({ length: 15 }, () => 'again'), 'failed']);
});

test.each([
  [199, 'again'],
  [200, 'delivered'],
  [299, 'delivered'],
  [300, 'again'],
])('a response with status %i is %s', async (status, outcome) => {
  const { dispatcher, settled } = await open(1, async () => ({ status }));
  await dispatcher.deliverDue();
  expect(settled).toMatchObject([{ outcome, result: String(status) }]);
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
  const openWith = (deliver: () => Promise<{ status: number }>) =>
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
  const lost = openWith(() => new Promise(() => undefined));
  void lost.deliverDue();
  await new Promise((resolve) => setImmediate(resolve));
  const other = openWith(async () => ({ status: 204 }));
  now += 59_999;
  await other.deliverDue();
  expect(sent).toHaveLength(1);
  now += 1;
  await other.deliverDue();
  expect(sent.map(({ id }) => id)).toEqual([sent[0]?.id, sent[0]?.id]);
  expect(sent[1]).toMatchObject({ type: 'hello.done', seconds: String(Math.floor(now / 1000)) });
});

test('a delivery interrupted by our own stop is left to another process', async () => {
  const { dispatcher, settled } = await open(
    1,
    ({ signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      }),
  );
  dispatcher.wake();
  await new Promise((resolve) => setImmediate(resolve));
  await dispatcher.stop();
  expect(settled).toEqual([]);
});

test('a stop during a full batch claims no other one', async () => {
  let stopped: Promise<void> | undefined;
  const { dispatcher, claims } = await open(2 * DELIVERY_LIMITS.atOnce, async () => {
    stopped ??= dispatcher.stop();
    throw new Error('interrupted');
  });
  dispatcher.wake();
  await vi.waitUntil(() => stopped !== undefined);
  await stopped;
  expect(claims()).toBe(1);
});

test('limits of deliveries', () => {
  expect(DELIVERY_LIMITS).toEqual({
    attemptsMax: 16,
    firstMs: 5_000,
    maxMs: 21_600_000,
    aheadMaxMs: 43_200_000,
    holdMs: 60_000,
    atOnce: 8,
    guestsMax: 100,
    pollMs: 2_000,
    soonMs: 100,
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
  const { dispatcher } = await open(1, deliver, { random: () => fraction });
  dispatcher.start();
  await vi.advanceTimersByTimeAsync(ms - 1);
  expect(delivered).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(delivered).toBe(1);
  await dispatcher.stop();
});

test('delivers everything that is due, in several batches', async () => {
  const { dispatcher, settled } = await open(2 * DELIVERY_LIMITS.atOnce + 1, accept);
  await dispatcher.deliverDue();
  expect(settled).toHaveLength(17);
});

test('a wake during a delivery does not claim a second time', async () => {
  const { dispatcher, claims } = await open(0, accept, {
    replace: (store) => ({
      claimDue: async (request) => {
        await new Promise((resolve) => setImmediate(resolve));
        return store.claimDue(request);
      },
    }),
  });
  for (let n = 0; n < 3; n++) dispatcher.wake();
  await dispatcher.stop();
  expect(claims()).toBe(1);
});

test('a stop waits for a delivery that succeeds and settles it, and leaves no timer', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { dispatcher, settled } = await open(
    1,
    ({ signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => setImmediate(() => resolve({ status: 204 })));
      }),
  );
  dispatcher.wake();
  await new Promise((resolve) => setImmediate(resolve));
  await dispatcher.stop();
  expect(settled).toMatchObject([{ outcome: 'delivered' }]);
  expect(vi.getTimerCount()).toBe(0);
});

test.each([
  [204, []],
  [500, ['a webhook was not delivered']],
])('status %i logs %j', async (status, messages) => {
  const { dispatcher, lines } = await open(1, async () => ({ status }));
  await dispatcher.deliverDue();
  expect(lines.map(({ message }) => message)).toEqual(messages);
});

test('the timestamp of a delivery is in whole seconds that have passed', async () => {
  const timestamps: (string | undefined)[] = [];
  const deliver: DeliveryClient['deliver'] = async ({ headers }) => {
    timestamps.push(Object.fromEntries(headers)['webhook-timestamp']);
    return { status: 204 };
  };
  const { dispatcher } = await open(1, deliver, { clock: () => 5_999 });
  await dispatcher.deliverDue();
  expect(timestamps).toEqual(['5']);
});

/** A dispatcher for several tenants, each with a webhook, whose receivers answer when the test lets them. */
async function openTenants(due: Readonly<Record<string, number>>) {
  const records = await openInlineRecords();
  const sent: string[] = [];
  const answers: (() => void)[] = [];
  for (const [tenant, count] of Object.entries(due)) {
    const tenantId = await records.newTenant(tenant);
    const webhook = { webhookId: uuidV7(0), tenantId, url: `https://${tenant}.example/`, keyId: KEY.keyId };
    await records.webhooks.create({ ...webhook, events: ['hello.done'] }, 10);
    await records.enqueue(count, tenantId);
    for (let n = 0; n < count; n++) await records.finishOne();
  }
  const dispatcher = new WebhookDispatcher({
    ...{ store: records.webhooks, key: KEY, log: keepingLog(), clock: Date.now, random: () => 0.5 },
    outbound: {
      refusal: () => undefined,
      deliver({ url }) {
        sent.push(new URL(url).hostname.split('.')[0] ?? '');
        return new Promise((resolve) => answers.push(() => resolve({ status: 204 })));
      },
    },
  });
  onTestFinished(async () => {
    const stopped = dispatcher.stop();
    for (const answer of answers) answer();
    await stopped;
  });
  const turns = async () => {
    for (let n = 0; n < 20; n++) await new Promise((resolve) => setImmediate(resolve));
  };
  const answer = async (at: number) => {
    answers[at]?.();
    await turns();
  };
  const wake = async () => {
    dispatcher.wake();
    await turns();
  };
  return { sent, answer, wake };
}

test('a tenant with slow receivers takes all deliveries but one, and the next as soon as one ends', async () => {
  const { sent, answer, wake } = await openTenants({ slow: 20 });
  await wake();
  expect(sent).toHaveLength(DELIVERY_LIMITS.atOnce - 1);
  await answer(3);
  expect(sent).toHaveLength(DELIVERY_LIMITS.atOnce);
});

test('a tenant whose deliveries came later has one beside the slow ones of others, and more in turn', async () => {
  const { sent, answer, wake } = await openTenants({ slow: 20, other: 20, late: 2 });
  await wake();
  expect(sent.filter((tenant) => tenant === 'late')).toHaveLength(2);
  expect(sent.filter((tenant) => tenant === 'slow')).toHaveLength(3);
  await answer(0);
  expect(sent).toHaveLength(DELIVERY_LIMITS.atOnce + 1);
});

test('while deliveries of others fill the process, a tenant without one gets its own', async () => {
  const { sent, wake } = await openTenants(
    Object.fromEntries(Array.from({ length: DELIVERY_LIMITS.atOnce + 2 }, (_, n) => [`t${n}`, 3])),
  );
  await wake();
  expect([sent.length, new Set(sent).size]).toEqual([DELIVERY_LIMITS.atOnce + 2, DELIVERY_LIMITS.atOnce + 2]);
});
