// Preloaded into a server process: reports to its parent how long the event loop stalled and how much
// memory was used. The time in which the thread
// was ready but another process had the processor is excluded, because it only shows how busy the machine is.
import { openSync, readFileSync, readSync, writeFileSync } from 'node:fs';
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

/** Returns the most memory that was resident since the last reset. */
function peakBytes() {
  const [, kilobytes = '0'] = /^VmHWM:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'latin1')) ?? [];
  return Number(kilobytes) * 1024;
}

process.on('message', (message) => {
  process.send?.({ worstMs, rssBytes: process.memoryUsage().rss, peakBytes: peakBytes() });
  if (message !== 'reset') return;
  worstMs = 0;
  // Resets the peak to what is resident now.
  writeFileSync('/proc/self/clear_refs', '5');
});
