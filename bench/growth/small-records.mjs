// Small appends alongside a stream of very many small records that is read whole, and then deleted.
import { rmSync } from 'node:fs';
import { pause } from '../streams/stats.mjs';
import { bar, line } from './print.mjs';
import { seedRecordsOf } from './seeds.mjs';
import { openGrown } from './server.mjs';

const TEXT = { 'content-type': 'text/plain' };
const AFTER_MS = 3_000;

/**
 * Returns the longest append while `work` runs and for a while after it. @param {string} url @param {() =>
 * Promise<unknown>} work
 */
async function longestAppend(url, work) {
  let longest = 0;
  let isDone = false;
  const appends = (async () => {
    while (!isDone) {
      const from = performance.now();
      const response = await fetch(`${url}v1/stream/other`, { method: 'POST', headers: TEXT, body: 'x' });
      await response.arrayBuffer();
      longest = Math.max(longest, performance.now() - from);
      await pause(2);
    }
  })();
  try {
    await work();
    await pause(AFTER_MS);
  } finally {
    isDone = true;
    await appends;
  }
  return longest;
}

/** @param {() => Promise<string>} newFolder @param {readonly number[]} sizes */
export async function measureSmallRecords(newFolder, sizes) {
  const figures = [];
  for (const size of sizes) {
    const folder = await newFolder();
    seedRecordsOf(folder, 'template', size);
    const server = await openGrown(folder);
    const stream = `${server.url}v1/stream/template`;
    await fetch(`${server.url}v1/stream/other`, { method: 'PUT', headers: TEXT });
    const alone = await longestAppend(server.url, async () => {});
    const read = await longestAppend(server.url, async () => (await fetch(stream)).arrayBuffer());
    const removed = await longestAppend(server.url, async () => fetch(stream, { method: 'DELETE' }));
    figures.push({ alone, read, removed });
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  line(
    'longest append, alone, ms',
    figures.map(({ alone }) => alone),
  );
  line(
    'beside a read of many small records, ms',
    figures.map(({ read }) => read),
  );
  line(
    'beside the removal of that stream, ms',
    figures.map(({ removed }) => removed),
  );
  const first = Math.max(figures[0]?.read ?? 0, figures[0]?.removed ?? 0);
  const last = Math.max(figures.at(-1)?.read ?? 0, figures.at(-1)?.removed ?? 0);
  bar(last <= Math.max(3 * first, 60), 'the longest append does not grow with the records of another stream');
}
