import { expect, onTestFinished, test } from 'vitest';
import { asyncPort } from '../../../../test/support/async-port.js';
import { keepingLog } from '../../../../test/support/keeping-log.js';
import { ManualTimers } from '../../../../test/support/manual-timers.js';
import { COMPARISON_LIMITS } from '../../../compare/index.js';
import { type IdempotencyStore, type JobStore, uniqueKey, type WebhookStore } from '../../../jobs/index.js';
import { createRecordStores } from '../../../stores/sqlite/record-stores.js';
import { uuidV7 } from '../../../uuid.js';
import { openDatabase } from '../sqlite/open-database.js';
import { type OldComparisons, startRetention } from './retention-sweeps.js';

const DAY_MS = 86_400_000;

test('deletes ended jobs after their retention, but not while the clock cannot be trusted', async () => {
  const database = openDatabase(':memory:');
  onTestFinished(() => database.close());
  let now = Date.now();
  let isTrusted = false;
  const own = createRecordStores(database, () => now, { mayDestroy: () => isTrusted });
  const jobs = asyncPort<JobStore>(own.jobs);
  const [tenantId, jobId] = [uuidV7(now), uuidV7(now)];
  own.tenants.create({ id: tenantId, slug: 'default', name: 'Default', quotas: {} });
  const job = { jobId, tenantId, kind: 'hello' as const, payload: {}, maxAttempts: 1 };
  await jobs.enqueue([{ ...job, idempotencyKey: uniqueKey() }]);
  await jobs.cancel(tenantId, jobId);

  const timers = new ManualTimers();
  const sweeps = startRetention(
    {
      jobs,
      webhooks: asyncPort<WebhookStore>(own.webhooks),
      idempotency: asyncPort<IdempotencyStore>(own.idempotency),
      oldComparisons: asyncPort<OldComparisons>(own.oldComparisons),
    },
    {
      jobs: { retentionMs: 30 * DAY_MS },
      compare: COMPARISON_LIMITS,
      log: keepingLog(),
      after: timers.after,
    },
  );
  /** Lets every sweep run once, and returns whether the job still exists. */
  const sweepOnce = async () => {
    timers.pass(20_000);
    await new Promise(setImmediate);
    return (await jobs.get(tenantId, jobId)) !== undefined;
  };
  now += 30 * DAY_MS + 1;
  expect(await sweepOnce()).toBe(true);
  isTrusted = true;
  now -= 2;
  expect(await sweepOnce()).toBe(true);
  now += 2;
  expect(await sweepOnce()).toBe(false);
  await Promise.all(sweeps.map((sweep) => sweep.stop()));
});
