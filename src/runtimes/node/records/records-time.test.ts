import { expect, onTestFinished, test } from 'vitest';
import { createRecordStores } from '../../../stores/sqlite/record-stores.js';
import { uuidV7 } from '../../../uuid.js';
import { openDatabase } from '../sqlite/open-database.js';
import { BatchTransactions } from './batch-transactions.js';
import { RecordsTime } from './records-time.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const START = 1_700_000_000_000;

/** The records of one file, whose process can be started again. */
function openFile() {
  const database = openDatabase(':memory:');
  onTestFinished(() => database.close());
  const machine = { wall: START, monotonic: 10 };
  const clocks = { wall: () => machine.wall, monotonic: () => machine.monotonic, boot: 'boot' };
  const pass = (ms: number) => {
    machine.wall += ms;
    machine.monotonic += ms;
  };
  const tenantId = uuidV7(START);
  const start = () => {
    const time = new RecordsTime(database, { clocks });
    const stores = createRecordStores(database, time.now, { mayDestroy: time.mayDestroy });
    const batches = new BatchTransactions({
      database,
      stores,
      files: { check: () => undefined },
      clock: time,
    });
    return (store: keyof typeof stores, method: string, ...args: unknown[]) => {
      const [result] = batches.run([{ store, method, args }]);
      if (result && 'fault' in result) throw new Error(result.fault.message);
      return result?.value;
    };
  };
  const begin = (run: ReturnType<typeof start>, newId = uuidV7(machine.wall)) =>
    run('idempotency', 'begin', {
      ...{ tenantId, key: 'k', fingerprint: 'f', owner: newId, newId },
      ...{ inFlightMs: 60_000, keepMs: DAY_MS, keysMax: 9 },
    });
  const run = start();
  run('tenants', 'create', { id: tenantId, slug: 'acme', name: 'Acme', quotas: {} });
  return { machine, pass, start, run, begin, tenantId };
}

test('a key is replayed while the clock is ahead, after it, and by a process that starts meanwhile', () => {
  const { machine, pass, start, run, begin, tenantId } = openFile();
  const owner = uuidV7(START);
  begin(run, owner);
  run('idempotency', 'finish', { tenantId, key: 'k', owner }, { status: 201, location: null, body: '{}' });
  machine.wall += 10 * DAY_MS;
  expect(begin(run)).toMatchObject({ kind: 'replayed' });
  expect(run('idempotency', 'prune', 9)).toBe(0);
  pass(2_000);
  const next = start();
  expect([begin(next), next('idempotency', 'prune', 9)]).toMatchObject([{ kind: 'replayed' }, 0]);
  machine.wall -= 10 * DAY_MS;
  expect(begin(start())).toMatchObject({ kind: 'replayed' });
});

test('a key that has expired is kept until the clock has been right for an hour', () => {
  const { machine, pass, run, begin, tenantId } = openFile();
  begin(run);
  pass(DAY_MS - 1);
  machine.wall += 2_000;
  run('jobs', 'counts', tenantId);
  machine.wall -= 2_000;
  run('jobs', 'counts', tenantId);
  pass(HOUR_MS - 1);
  expect(run('idempotency', 'prune', 9)).toBe(0);
  pass(1);
  expect(run('idempotency', 'prune', 9)).toBe(1);
});

test('a session that was ended stays so, although the clock was ahead by years', () => {
  const { machine, run } = openFile();
  run('revokedSessions', 'add', 'one', START + DAY_MS);
  machine.wall += 3_650 * DAY_MS;
  run('revokedSessions', 'add', 'two', machine.wall);
  expect(run('revokedSessions', 'has', 'one')).toBe(true);
});

test('a lease is as long after a restart in the middle of a step, and after one that follows it', () => {
  const { machine, pass, start, run, tenantId } = openFile();
  const job = { jobId: uuidV7(START), tenantId, kind: 'hello', payload: {}, maxAttempts: 3 };
  run('jobs', 'enqueue', [{ ...job, idempotencyKey: 'a'.repeat(64) }]);
  const claim = { workerId: 'w', kinds: ['hello'], limit: 9, leaseMs: 60_000, runningMax: 9, after: null };
  expect(run('jobs', 'claim', claim)).toMatchObject({ jobs: [{ jobId: job.jobId }] });
  const reap = { limit: 9, backoffFirstMs: 0, backoffMaxMs: 0, fractions: [] };
  machine.wall += DAY_MS;
  expect(start()('jobs', 'reap', reap)).toEqual([]);
  machine.wall -= DAY_MS;
  const last = start();
  pass(59_999);
  expect([last('jobs', 'pullBack'), last('jobs', 'reap', reap)]).toEqual([0, []]);
  pass(2);
  expect(last('jobs', 'reap', reap)).toHaveLength(1);
});
