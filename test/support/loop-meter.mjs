// Preloaded into a server process: reports to its parent how long the event loop stalled. The time in which the thread
// was ready but another process had the processor is excluded, because it only shows how busy the machine is.
import { openSync, readSync } from 'node:fs';
import process from 'node:process';

const TICK_MS = 1;
const SCHEDSTAT = `/proc/self/task/${process.pid}/schedstat`;
const text = Buffer.alloc(128);
const file = openSync(SCHEDSTAT, 'r');

/** Returns the milliseconds for which the main thread has waited for a processor. */
function waitedMs() {
  const [, waitedNs] = text.toString('latin1', 0, readSync(file, text, 0, text.length, 0)).split(' ');
  return Number(waitedNs) / 1e6;
}

let worstMs = 0;
let last = { at: performance.now(), waited: waitedMs() };
setInterval(() => {
  const now = { at: performance.now(), waited: waitedMs() };
  worstMs = Math.max(worstMs, now.at - last.at - (now.waited - last.waited) - TICK_MS);
  last = now;
}, TICK_MS).unref();

process.on('message', (message) => {
  process.send?.({ worstMs, rssBytes: process.memoryUsage().rss });
  if (message === 'reset') worstMs = 0;
});
