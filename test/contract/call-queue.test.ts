/** A process that waits for the store thread must not exit. `sonde backup` did, with Node's exit code 13. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { CallQueue } from '../../src/runtimes/node/sqlite/call-queue.js';
import { STORE_WORKER_URL } from '../support/serve.js';

/** The thread of the store, and whether it keeps the process alive. */
class WatchedThread extends Worker {
  keepsAlive = true;

  override ref(): void {
    this.keepsAlive = true;
    super.ref();
  }

  override unref(): void {
    this.keepsAlive = false;
    super.unref();
  }
}

async function openQueue(): Promise<{ thread: WatchedThread; queue: CallQueue }> {
  const folder = mkdtempSync(join(tmpdir(), 'sonde-queue-'));
  const thread = new WatchedThread(STORE_WORKER_URL, { workerData: { path: join(folder, 'sonde.db') } });
  await once(thread, 'message');
  const queue = new CallQueue(thread);
  // Otherwise the first result starts it.
  await queue.dropUnused();
  onTestFinished(async () => {
    await queue.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { thread, queue };
}

const GET = { method: 'get', args: ['a'] };

test('an idle queue does not keep the process alive; a call does, from the turn in which it is sent', async () => {
  const { thread, queue } = await openQueue();
  expect(thread.keepsAlive).toBe(false);
  const call = queue.call(GET);
  await nextTurn();
  expect(thread.keepsAlive).toBe(true);
  await call;
  expect(thread.keepsAlive).toBe(false);
});

test.each(['freeze', 'thaw'] as const)(
  'the result of a call leaves the process waiting for a %s',
  async (kind) => {
    const { thread, queue } = await openQueue();
    const call = queue.call(GET);
    await nextTurn();
    const control = queue.control(kind);
    await call;
    expect(thread.keepsAlive).toBe(true);
    await control;
    expect(thread.keepsAlive).toBe(false);
  },
);

test('the result of a freeze leaves the process waiting for the thaw after it', async () => {
  const { thread, queue } = await openQueue();
  const freeze = queue.control('freeze');
  const thaw = queue.control('thaw');
  await freeze;
  expect(thread.keepsAlive).toBe(true);
  await thaw;
});

test('the results of calls and freezes leave the process waiting for the end of the thread', async () => {
  const { thread, queue } = await openQueue();
  const call = queue.call(GET);
  await nextTurn();
  const freeze = queue.control('freeze');
  const closed = queue.close();
  await call;
  expect(thread.keepsAlive).toBe(true);
  await freeze;
  expect(thread.keepsAlive).toBe(true);
  await closed;
});
