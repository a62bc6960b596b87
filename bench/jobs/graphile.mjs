// graphile-worker, ten jobs at a time, with or without its local queue. Drained means that every handler was called.
import { Logger, makeWorkerUtils, run } from 'graphile-worker';
import pg from 'pg';

/** @param {string} url @param {{ size: number, delayMs: number }} [batching] */
export async function graphile(url, batching) {
  const pgPool = new pg.Pool({ connectionString: url, max: 12 });
  pgPool.on('error', () => {});
  const logger = new Logger(() => () => {});
  const utils = await makeWorkerUtils({ pgPool, logger });
  await utils.migrate();
  let onJob = () => {};
  /** @type {import('graphile-worker').Runner | undefined} */
  let runner;
  const start = async () => {
    runner = await run({
      pgPool,
      logger,
      noHandleSignals: true,
      taskList: { hello: async () => onJob() },
      preset: {
        worker: {
          concurrentJobs: 10,
          ...(batching && {
            localQueue: { size: batching.size },
            completeJobBatchDelay: batching.delayMs,
            failJobBatchDelay: batching.delayMs,
          }),
        },
      },
    });
  };
  return {
    /** @param {number} count */
    async enqueue(count) {
      if (count === 1) {
        await utils.addJob('hello', { url: 'https://example.com/' });
        return;
      }
      const jobs = Array.from({ length: count }, () => ({
        identifier: 'hello',
        payload: { url: 'https://example.com/' },
      }));
      await utils.addJobs(jobs);
    },
    /** @param {number} count */
    async drain(count) {
      let seen = 0;
      const handled = new Promise((/** @type {(value?: unknown) => void} */ resolve) => {
        onJob = () => {
          if (++seen === count) resolve();
        };
      });
      const startedAt = performance.now();
      await start();
      await handled;
      return performance.now() - startedAt;
    },
    /** @param {number} times */
    async pickup(times) {
      await start();
      /** @type {number[]} */
      const all = [];
      for (let n = 0; n < times; n++) {
        const startedAt = performance.now();
        const picked = new Promise((/** @type {(value?: unknown) => void} */ resolve) => {
          onJob = resolve;
        });
        await this.enqueue(1);
        await picked;
        all.push(performance.now() - startedAt);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      return all;
    },
    async stop() {
      await runner?.stop();
      await utils.release();
      await pgPool.end();
    },
  };
}
