import { expect, test } from 'vitest';
import { uniqueKey } from '../../jobs/index.js';
import { openDatabase } from '../../runtimes/node/sqlite/open-database.js';
import { uuidV7 } from '../../uuid.js';
import { createRecordStores } from './record-stores.js';
import { shiftDeadlines } from './shift-deadlines.js';

const WAIT_MS = 10_000;
const CLAIM = { workerId: 'w', limit: 9, leaseMs: WAIT_MS, runningMax: 9, after: null };
const TRY = { fingerprint: 'f', inFlightMs: WAIT_MS, keepMs: 2 * WAIT_MS, keysMax: 9 };

/** One deadline of each kind, ten seconds ahead or at the end of its lease. */
function storesWithDeadlines() {
  let now = Date.UTC(2026, 0, 1);
  const database = openDatabase(':memory:');
  const stores = createRecordStores(database, () => now);
  const { jobs, webhooks, idempotency } = stores;
  const tenantId = uuidV7(now);
  stores.tenants.create({ id: tenantId, slug: 'acme', name: 'Acme', quotas: {} });
  const enqueue = (kind: 'hello' | 'compare', delayMs = 0) => {
    const fields = { jobId: uuidV7(now), tenantId, kind, payload: {}, maxAttempts: 3, delayMs };
    jobs.enqueue([{ ...fields, idempotencyKey: uniqueKey() }]);
  };
  const webhook = { webhookId: uuidV7(now), tenantId, url: 'https://hooks.example/', keyId: 'k' };
  webhooks.create({ ...webhook, events: ['hello.done'] }, 9);
  enqueue('hello');
  for (const job of jobs.claim({ ...CLAIM, kinds: ['hello'] }).jobs)
    jobs.settle([{ ...job, outcome: 'done', events: [], hadSteps: false }]);
  webhooks.claimDue({ keyId: 'k', limit: 9, holdMs: WAIT_MS });
  enqueue('compare');
  jobs.claim({ ...CLAIM, kinds: ['compare'] });
  enqueue('hello', WAIT_MS);
  const begin = (key: string) =>
    idempotency.begin({ ...TRY, tenantId, key, owner: uuidV7(now), newId: uuidV7(now) }).kind;
  begin('in flight');
  return {
    pass: (ms: number) => {
      now += ms;
    },
    step: (ms: number) => {
      now += ms;
      shiftDeadlines(database, ms);
    },
    ready: () => jobs.claim({ ...CLAIM, kinds: ['hello'] }).jobs.length,
    reaped: () => jobs.reap({ limit: 9, backoffFirstMs: 0, backoffMaxMs: 0, fractions: [0] }).length,
    due: () => webhooks.claimDue({ keyId: 'k', limit: 9, holdMs: 0 }).length,
    begin,
    close: () => database.close(),
  };
}

const STEPS = [86_400_000, -86_400_000];

test.each(STEPS)(
  'a clock step of %d ms moves the deadlines of jobs, deliveries and idempotency keys',
  (ms) => {
    const stores = storesWithDeadlines();
    stores.step(ms);
    stores.pass(WAIT_MS - 1);
    expect([stores.ready(), stores.reaped(), stores.due()]).toEqual([0, 0, 0]);
    expect(stores.begin('in flight')).toBe('in_flight');
    stores.pass(1);
    expect([stores.ready(), stores.reaped(), stores.due()]).toEqual([1, 1, 1]);
    expect(stores.begin('in flight')).toBe('begun');
    stores.close();
  },
);
