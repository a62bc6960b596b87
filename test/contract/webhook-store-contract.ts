/**
 * What every engine guarantees about webhooks and their deliveries. The suite never waits: a hold of 0 ms is over at
 * once.
 */
import { beforeEach, expect, test } from 'vitest';
import {
  type DueDelivery,
  type JobStore,
  type TenantStore,
  uniqueKey,
  type WebhookEventType,
  type WebhookStore,
} from '../../src/jobs/index.js';
import { uuidV7 } from '../../src/uuid.js';

export interface WebhookStoreBench {
  readonly webhooks: WebhookStore;
  readonly jobs: JobStore;
  readonly tenants: TenantStore;
}

const HOUR_MS = 3_600_000;

export function webhookStoreContract(bench: () => WebhookStoreBench): void {
  let tenantId: string;
  let keyId: string;

  beforeEach(async () => {
    tenantId = await newTenant();
    keyId = crypto.randomUUID();
  });

  async function newTenant(): Promise<string> {
    const id = uuidV7(Date.now());
    await bench().tenants.create({ id, slug: `t-${id.slice(-12)}`, name: 'T', quotas: {} });
    return id;
  }

  async function create(
    events: readonly WebhookEventType[] = ['hello.done'],
    { owner = tenantId, key = keyId, max = 10, webhookId = uuidV7(Date.now()) } = {},
  ) {
    const webhook = { webhookId, tenantId: owner, url: 'https://hooks.example/', events, keyId: key };
    return { webhookId, outcome: await bench().webhooks.create(webhook, max) };
  }

  async function endJob(outcome: 'done' | 'canceled' = 'done', owner = tenantId): Promise<string> {
    const jobId = uuidV7(Date.now());
    const job = { jobId, tenantId: owner, kind: 'hello' as const, payload: {}, maxAttempts: 3 };
    await bench().jobs.enqueue([{ ...job, idempotencyKey: uniqueKey() }]);
    const bounds = { limit: 1, leaseMs: HOUR_MS, runningMax: 9, after: null };
    const { jobs } = await bench().jobs.claim({ workerId: 'w', kinds: ['hello'], ...bounds });
    await bench().jobs.settle(jobs.map((each) => ({ ...each, outcome, events: [], hadSteps: false })));
    return jobId;
  }

  const claim = (holdMs = HOUR_MS, limit = 10, key = keyId) =>
    bench().webhooks.claimDue({ keyId: key, limit, holdMs });

  const settle = (
    { deliveryId, attempt }: DueDelivery,
    outcome: 'delivered' | 'again' | 'failed',
    delayMs = 0,
  ) => bench().webhooks.settle({ deliveryId, attempt, outcome, delayMs, result: `was ${outcome}` });

  async function onlyDue(holdMs?: number): Promise<DueDelivery> {
    const [due, ...more] = await claim(holdMs);
    if (!due || more.length > 0) throw new Error('expected exactly one due delivery');
    return due;
  }

  test('a tenant has a limit of webhooks, lists them in the order of creation, and sees only its own', async () => {
    const other = await newTenant();
    const { webhookId: first } = await create(['hello.done', 'audit.failed'], { max: 2 });
    const { webhookId: second } = await create(undefined, { max: 2 });
    expect((await create(undefined, { max: 2 })).outcome).toBe('full');
    expect((await create(undefined, { webhookId: first })).outcome).toBe('exists');
    expect((await create(undefined, { owner: other, max: 1 })).outcome).toBe('created');
    const listed = await bench().webhooks.list(tenantId);
    expect(listed.map(({ webhookId }) => webhookId)).toEqual([first, second]);
    expect(await bench().webhooks.get(tenantId, first)).toEqual(listed[0]);
    expect(listed[0]).toMatchObject({
      tenantId,
      keyId,
      url: 'https://hooks.example/',
      events: ['hello.done', 'audit.failed'],
      lastStatus: null,
      lastAt: null,
    });
    expect(Math.abs((listed[0]?.createdAt ?? 0) - Date.now())).toBeLessThan(HOUR_MS);
    expect(await bench().webhooks.get(other, first)).toBeUndefined();
    expect(await bench().webhooks.get(tenantId, uuidV7(Date.now()))).toBeUndefined();
    expect(await bench().webhooks.remove(other, first)).toBe(false);
    expect(await bench().webhooks.remove(tenantId, first)).toBe(true);
    expect(await bench().webhooks.remove(tenantId, first)).toBe(false);
    expect((await bench().webhooks.list(tenantId)).map(({ webhookId }) => webhookId)).toEqual([second]);
    expect(await bench().webhooks.list(other)).toHaveLength(1);
  });

  test('the end of a job is delivered only to the webhooks that subscribed to it', async () => {
    const other = await newTenant();
    const { webhookId } = await create(['hello.done', 'hello.failed']);
    await create(['hello.canceled', 'audit.done']);
    await create(['hello.done'], { owner: other });
    const jobId = await endJob();
    const [due, ...more] = await claim();
    expect(more).toEqual([]);
    expect(due).toMatchObject({ webhookId, tenantId, url: 'https://hooks.example/', type: 'hello.done' });
    expect(due?.data).toMatchObject({ jobId, kind: 'hello', status: 'done', attempt: 1, error: null });
    expect(due?.attempt).toBe(1);
    expect(Math.abs((due?.createdAt ?? 0) - Date.now())).toBeLessThan(HOUR_MS);
    await endJob('canceled');
    expect((await claim()).map(({ type }) => type)).toEqual(['hello.canceled']);
  });

  test('the caller that claimed a delivery holds it, and it is due again when the hold is over', async () => {
    await create();
    await endJob();
    const first = await onlyDue(0);
    const second = await onlyDue();
    expect(second).toEqual({ ...first, attempt: 2 });
    expect(await claim()).toEqual([]);
    // The first hold is over, so its result is ignored.
    expect(await settle(first, 'delivered')).toBe(false);
    expect(await settle(second, 'delivered')).toBe(true);
    expect(await settle(second, 'again')).toBe(false);
    expect(await claim()).toEqual([]);
  });

  test('a retried delivery waits, a finished one is over, and the webhook shows the last result', async () => {
    const { webhookId } = await create();
    const { webhookId: unused } = await create(['hello.failed']);
    const shown = async (id: string) => {
      const { lastStatus, lastAt } = (await bench().webhooks.get(tenantId, id)) ?? {};
      return [lastStatus, lastAt !== null && Math.abs((lastAt ?? 0) - Date.now()) < HOUR_MS];
    };
    await endJob();
    await settle(await onlyDue(), 'again');
    expect(await shown(webhookId)).toEqual(['was again', true]);
    await settle(await onlyDue(), 'again', HOUR_MS);
    expect(await claim()).toEqual([]);
    await endJob();
    await settle(await onlyDue(), 'failed');
    expect(await claim()).toEqual([]);
    expect([await shown(webhookId), await shown(unused)]).toEqual([
      ['was failed', true],
      [null, false],
    ]);
  });

  test('a claim takes the longest-due deliveries of its key first, up to its limit', async () => {
    await create();
    await create(undefined, { key: `${keyId} of another server` });
    for (let jobs = 0; jobs < 3; jobs++) await endJob();
    const taken = await claim(0, 2);
    expect(taken).toHaveLength(2);
    for (const each of taken) await settle(each, 'again', -HOUR_MS);
    const again = await claim(HOUR_MS, 2);
    expect(new Set(again.map(({ deliveryId }) => deliveryId))).toEqual(
      new Set(taken.map(({ deliveryId }) => deliveryId)),
    );
    expect(await claim()).toHaveLength(1);
    expect(await claim()).toEqual([]);
    expect(await claim(HOUR_MS, 10, `${keyId} of another server`)).toHaveLength(3);
  });

  test('a claim takes turns between tenants, within the share of each', async () => {
    const [slow, other, late] = [tenantId, await newTenant(), await newTenant()];
    for (const owner of [slow, other, late]) await create(undefined, { owner });
    for (let jobs = 0; jobs < 6; jobs++) await endJob('done', slow);
    for (const owner of [other, other, late]) await endJob('done', owner);
    const claimShared = async (limit: number, held: Record<string, number>, guests = 0) => {
      const share = { held, heldMax: 3, guests };
      const due = await bench().webhooks.claimDue({ keyId, limit, holdMs: HOUR_MS, share });
      return due.map((each) => each.tenantId).sort();
    };
    expect(await claimShared(3, { [slow]: 2 })).toEqual([other, other, late].sort());
    expect(await claimShared(9, { [slow]: 2 })).toEqual([slow]);
    expect(await claimShared(9, { [slow]: 3 })).toEqual([]);
    for (const owner of [other, late]) await endJob('done', owner);
    expect(await claimShared(0, { [slow]: 3 }, 1)).toHaveLength(1);
    expect(await claimShared(0, { [slow]: 3, [other]: 1, [late]: 1 }, 9)).toEqual([]);
  });

  test('a delivery due later than any wait was scheduled by a fast clock, and is due now', async () => {
    await create();
    for (let jobs = 0; jobs < 3; jobs++) await endJob();
    const [near, far, further] = await claim(0);
    if (!near || !far || !further) throw new Error('expected three due deliveries');
    await settle(near, 'again', 11 * HOUR_MS);
    await settle(far, 'again', 13 * HOUR_MS);
    await settle(further, 'again', 14 * HOUR_MS);
    await endJob();
    // Late deliveries come first and count towards the limit.
    expect(await claim(HOUR_MS, 1)).toMatchObject([{ attempt: 1 }]);
    expect((await claim(HOUR_MS, 1)).map(({ deliveryId }) => deliveryId)).toEqual([far.deliveryId]);
    expect((await claim()).map(({ deliveryId }) => deliveryId)).toEqual([further.deliveryId]);
    expect(await claim()).toEqual([]);
  });

  test('deliveries are removed with their webhook, and finished ones after a while', async () => {
    const prune = (olderThanMs: number, limit = 10) => bench().webhooks.prune({ olderThanMs, limit });
    // Removes those of earlier tests.
    await prune(-HOUR_MS, 1_000);
    const { webhookId } = await create();
    await create();
    await endJob();
    await bench().webhooks.remove(tenantId, webhookId);
    await settle(await onlyDue(), 'delivered');
    for (let jobs = 0; jobs < 3; jobs++) await endJob();
    const [first, second] = await claim();
    if (!first || !second) throw new Error('expected three due deliveries');
    await settle(first, 'failed');
    await settle(second, 'again');
    expect(await prune(HOUR_MS)).toBe(0);
    expect(await prune(-HOUR_MS, 1)).toBe(1);
    expect(await prune(-HOUR_MS)).toBe(1);
    expect(await prune(-HOUR_MS)).toBe(0);
    expect((await claim()).map(({ deliveryId }) => deliveryId)).toEqual([second.deliveryId]);
  });
}
