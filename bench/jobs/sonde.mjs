// Sonde's queue, built from source like the product. Drained means that every row has ended.
import { pathToFileURL } from 'node:url';

const BUILT = process.env['BENCH_QUEUE'] ?? '';
const MIGRATIONS = new URL('../../migrations/', import.meta.url);

/** @param {string} url */
export async function sonde(url) {
  let onJob = () => {};
  /** @type {typeof import('./queue.ts')} */
  const { openQueue } = await import(pathToFileURL(BUILT).href);
  const queue = await openQueue(url, MIGRATIONS, () => onJob());
  return {
    enqueue: queue.enqueue,
    /** @param {number} count */
    async drain(count) {
      let seen = 0;
      const handled = new Promise((/** @type {(value?: unknown) => void} */ resolve) => {
        onJob = () => {
          if (++seen === count) resolve();
        };
      });
      const startedAt = performance.now();
      await queue.worker.start();
      await handled;
      while ((await queue.open()) > 0) await new Promise((resolve) => setTimeout(resolve, 5));
      return performance.now() - startedAt;
    },
    /** @param {number} times */
    async pickup(times) {
      await queue.worker.start();
      /** @type {number[]} */
      const all = [];
      for (let n = 0; n < times; n++) {
        const startedAt = performance.now();
        const picked = new Promise((/** @type {(value?: unknown) => void} */ resolve) => {
          onJob = resolve;
        });
        await queue.enqueue(1);
        await picked;
        all.push(performance.now() - startedAt);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      return all;
    },
    stop: queue.stop,
  };
}
