// pg-boss, ten loops of fetch(100) and complete. Drained means that every completion was confirmed.
import PgBoss from 'pg-boss';

const QUEUE = 'hello';
const LOOPS = 10;
const BATCH = 100;

/** @param {string} url */
export async function pgBoss(url) {
  const boss = new PgBoss({ connectionString: url, max: LOOPS, supervise: false, schedule: false });
  boss.on('error', () => {});
  await boss.start();
  await boss.createQueue(QUEUE);
  const loop = async () => {
    for (;;) {
      const jobs = await boss.fetch(QUEUE, { batchSize: BATCH });
      if (!jobs || jobs.length === 0) return;
      await boss.complete(
        QUEUE,
        jobs.map(({ id }) => id),
      );
    }
  };
  return {
    /** @param {number} count */
    async enqueue(count) {
      await boss.insert(
        Array.from({ length: count }, () => ({ name: QUEUE, data: { url: 'https://example.com/' } })),
      );
    },
    /** @param {number} _count */
    async drain(_count) {
      const startedAt = performance.now();
      await Promise.all(Array.from({ length: LOOPS }, loop));
      return performance.now() - startedAt;
    },
    /** @param {number} _times @returns {Promise<number[]>} */
    async pickup(_times) {
      throw new Error('pg-boss 10 polls; its pickup is its polling interval');
    },
    async stop() {
      await boss.stop({ graceful: false });
    },
  };
}
