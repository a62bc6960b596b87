/** Tests exact times and orders, which the contract suite on real clocks cannot. */
import { expect, test } from 'vitest';
import { openTimedJobs, START_MS, TENANT } from '../../../test/support/timed-jobs.js';
import { DELIVERY_LIMITS, type DueDelivery, type WebhookEventType } from '../../jobs/index.js';

function open() {
  const opened = openTimedJobs();
  const { clock, webhooks, enqueue, finish } = opened;
  const create = (
    webhookId: string,
    fields: { events?: readonly WebhookEventType[]; keyId?: string; tenantId?: string; max?: number } = {},
  ) => {
    const { max = 9, ...rest } = fields;
    const url = `https://${webhookId}.example/`;
    return webhooks.create(
      { webhookId, tenantId: TENANT, url, events: ['hello.done'], keyId: 'k', ...rest },
      max,
    );
  };
  return {
    ...opened,
    create,
    /** Ends a job, so that a delivery is due. */
    end: (jobId: string) => {
      enqueue(jobId);
      finish(jobId);
    },
    claim: (limit = 9, keyId = 'k') => webhooks.claimDue({ keyId, limit, holdMs: 100 }),
    settle: ({ deliveryId, attempt }: DueDelivery, outcome: 'delivered' | 'again' | 'failed', delayMs = 0) =>
      webhooks.settle({ deliveryId, attempt, outcome, delayMs, result: `was ${outcome}` }),
    jobOf: ({ data }: DueDelivery) => (data as { jobId: string }).jobId,
    pass: (ms: number) => {
      clock.ms += ms;
    },
  };
}

test('webhooks are listed by time and then id, up to the limit of their tenant', () => {
  const { addTenant, create, webhooks, pass } = open();
  addTenant('other');
  for (const id of ['b', 'a']) expect(create(id, { max: 3 })).toBe('created');
  pass(1);
  expect([create('0', { max: 3 }), create('more', { max: 3 }), create('a', { max: 3 })]).toEqual([
    ...['created', 'full', 'exists'],
  ]);
  expect(create('foreign', { tenantId: 'other', max: 1 })).toBe('created');
  expect(webhooks.list(TENANT).map(({ webhookId, createdAt }) => [webhookId, createdAt - START_MS])).toEqual([
    ['a', 0],
    ['b', 0],
    ['0', 1],
  ]);
  expect([webhooks.get('other', 'a'), webhooks.get(TENANT, 'foreign')]).toEqual([undefined, undefined]);
});

test('a removed webhook takes its deliveries with it, and no others', () => {
  const { create, end, webhooks, claim, database } = open();
  // Not every host enforces foreign keys.
  database.run('PRAGMA foreign_keys = OFF', []);
  for (const id of ['a', 'b']) create(id);
  end('job');
  expect([webhooks.remove('other', 'a'), webhooks.remove(TENANT, 'none')]).toEqual([false, false]);
  expect([webhooks.remove(TENANT, 'a'), webhooks.remove(TENANT, 'a')]).toEqual([true, false]);
  expect(database.all('SELECT webhook_id FROM webhook_deliveries', [])).toEqual([{ webhook_id: 'b' }]);
  expect(claim().map(({ webhookId }) => webhookId)).toEqual(['b']);
});

test('a delivery is held for the given time and then due again, to the millisecond', () => {
  const { create, end, claim, pass, settle } = open();
  create('a');
  end('job');
  const [first] = claim();
  expect(first).toMatchObject({ webhookId: 'a', attempt: 1, url: 'https://a.example/', createdAt: START_MS });
  pass(99);
  expect(claim()).toEqual([]);
  pass(1);
  const [second] = claim();
  expect(second).toEqual({ ...first, attempt: 2 });
  expect(first && settle(first, 'delivered')).toBe(false);
  expect(second && settle(second, 'again', 30)).toBe(true);
  pass(29);
  expect(claim()).toEqual([]);
  pass(1);
  expect(claim()).toMatchObject([{ attempt: 3 }]);
});

test('the longest-due deliveries of a key come first, up to the limit', () => {
  const { create, end, claim, pass, jobOf } = open();
  create('a');
  create('b', { keyId: 'other' });
  for (const jobId of ['2', '3', '1']) {
    end(jobId);
    pass(1);
  }
  expect(claim(2).map(jobOf)).toEqual(['2', '3']);
  expect(claim(0)).toEqual([]);
  expect(claim(2).map(jobOf)).toEqual(['1']);
  expect(claim(9, 'other').map(jobOf)).toEqual(['2', '3', '1']);
});

test('a delivery that is due later than any wait is due now, after those that are due', () => {
  const { create, end, claim, settle, jobOf } = open();
  create('a');
  for (const jobId of ['1', '2', '3']) end(jobId);
  const { aheadMaxMs } = DELIVERY_LIMITS;
  for (const delivery of claim()) {
    settle(delivery, 'again', aheadMaxMs + (jobOf(delivery) === '1' ? 0 : Number(jobOf(delivery))));
  }
  end('4');
  expect(claim(2).map(jobOf)).toEqual(['4', '2']);
  expect(claim(2).map(jobOf)).toEqual(['3']);
  expect(claim(2)).toEqual([]);
});

test('only the webhook of a settled delivery shows its result', () => {
  const { create, end, claim, settle, pass, webhooks } = open();
  for (const id of ['a', 'b']) create(id);
  end('job');
  const delivery = claim().find(({ webhookId }) => webhookId === 'a');
  pass(5);
  expect(delivery && settle(delivery, 'failed')).toBe(true);
  expect(delivery && settle(delivery, 'again')).toBe(false);
  expect(webhooks.get(TENANT, 'a')).toMatchObject({ lastStatus: 'was failed', lastAt: START_MS + 5 });
  expect(webhooks.get(TENANT, 'b')).toMatchObject({ lastStatus: null, lastAt: null });
});

test('finished deliveries are pruned by age, oldest first; due ones never', () => {
  const { create, end, claim, settle, pass, webhooks, jobOf, database } = open();
  create('a');
  for (const jobId of ['1', '2', '3', '4']) {
    end(jobId);
    pass(10);
  }
  for (const delivery of claim()) settle(delivery, jobOf(delivery) === '1' ? 'again' : 'delivered', 500);
  const prune = (olderThanMs: number, limit = 9) => webhooks.prune({ olderThanMs, limit });
  expect([prune(30), prune(29, 9)]).toEqual([0, 1]);
  expect(prune(0, 1)).toBe(1);
  const left = database.all('SELECT created_at FROM webhook_deliveries ORDER BY created_at', []);
  expect(left.map((row) => Number(row['created_at']) - START_MS)).toEqual([0, 30]);
});
