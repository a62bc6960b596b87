// Small appends alongside large ones to other streams.
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { beginRun, startNode } from '../streams/processes.mjs';
import { median, pause, percentile, short } from '../streams/stats.mjs';
import { bar, line } from './print.mjs';
import { openGrown } from './server.mjs';

const LARGE = [1, 4, 16];
const LARGE_BYTES = 8_000_000;
/** About as many as there are small appends, so that both p99 values mean the same. */
const BARE = 200;
const BYTES = { 'content-type': 'application/octet-stream' };

export async function measureLargeAppends() {
  const slow = [];
  const longest = [];
  const took = [];
  /** @type {number[]} */
  let bare = [];
  for (const count of LARGE) {
    const server = await openGrown(mkdtempSync(join(beginRun(), 'growth-')));
    const post = async (
      /** @type {string} */ path,
      /** @type {Uint8Array<ArrayBuffer> | undefined} */ body,
      method = 'POST',
    ) => {
      const from = performance.now();
      const response = await fetch(`${server.url}v1/stream/${path}`, {
        method,
        headers: BYTES,
        ...(body && { body }),
      });
      await response.arrayBuffer();
      if (response.status >= 400) throw new Error(`${path}: ${response.status}`);
      return performance.now() - from;
    };
    for (const path of ['small', 'bare', ...Array.from({ length: count }, (_, n) => `large${n}`)])
      await post(path, undefined, 'PUT');
    const megabyte = new Uint8Array(1_000_000).fill(1);
    bare = [];
    for (let n = 0; n < BARE; n++) bare.push(await post('bare', megabyte));
    // Sent by another process, because a client that sends megabytes is slow to see a response.
    const from = performance.now();
    const writer = startNode(new URL('./large-writer.mjs', import.meta.url).pathname, [
      server.url,
      String(count),
      String(LARGE_BYTES),
    ]);
    const done = new Promise((resolve, reject) => {
      writer.once('exit', (code) =>
        code === 0 ? resolve(undefined) : reject(new Error(`the writer ended with ${code}`)),
      );
    });
    let writing = true;
    void done.finally(() => {
      writing = false;
    });
    const times = [];
    while (writing) {
      times.push(await post('small', new Uint8Array(1)));
      await pause(1);
    }
    await done;
    took.push(performance.now() - from);
    slow.push(percentile(times, 0.99));
    longest.push(Math.max(...times));
    await server.stop();
  }
  line('small append beside large ones, p99 ms', slow, '(1, 4, 16 appends of 8 MB)');
  line('longest, ms', longest);
  line(
    'all large ones, ms',
    took,
    `(bare 1 MB: p50 ${short(median(bare))}, p99 ${short(percentile(bare, 0.99))})`,
  );
  const worst = slow.at(-1) ?? 0;
  const bareWorst = percentile(bare, 0.99);
  console.log(
    `growth          p99 beside 16 appends of 8 MB is ${short(worst / median(bare))} times the median of bare 1 MB appends; ` +
      `their own p99 is ${short(bareWorst / median(bare))} times it`,
  );
  bar(
    worst <= 3 * bareWorst,
    `p99 beside 16 appends of 8 MB is ${short(worst / bareWorst)} times that of bare 1 MB appends (at most 3)`,
  );
}
