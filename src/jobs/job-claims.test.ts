import { expect, onTestFinished, test } from 'vitest';
import { keepingLog } from '../../test/support/app-for-tests.js';
import { openInlineRecords } from '../../test/support/inline-records.js';
import { createRedactor } from '../net/index.js';
import { JobWakes } from './job-events.js';
import type { JobStore } from './job-store.js';
import { JobWorker } from './job-worker.js';

const turns = async () => {
  for (let n = 0; n < 3; n++) await new Promise((resolve) => setImmediate(resolve));
};

test('claims once at a time, however often it is woken, and once more for what came meanwhile', async () => {
  const { jobs } = await openInlineRecords();
  const claims: (() => void)[] = [];
  const claim: JobStore['claim'] = async (request) => {
    await new Promise<void>((resolve) => claims.push(resolve));
    return jobs.claim(request);
  };
  const worker = new JobWorker({
    store: Object.assign(Object.create(jobs), { claim }) as JobStore,
    handlers: { hello: async () => undefined },
    wakes: new JobWakes(),
    log: keepingLog(),
    redactor: createRedactor(),
    clock: Date.now,
    random: () => 0.5,
    options: { workerId: 'w', leaseMs: 60_000, concurrency: 2, pollMs: 3_600_000 },
  });
  onTestFinished(() => worker.stop(0));
  await worker.start();
  await turns();
  for (let n = 0; n < 3; n++) worker.wake();
  await turns();
  expect(claims).toHaveLength(1);
  claims[0]?.();
  await turns();
  expect(claims).toHaveLength(2);
  claims[1]?.();
  await turns();
  expect(claims).toHaveLength(2);
});
