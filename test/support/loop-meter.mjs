// Loaded into a server process before the program: answers its parent with how long the event loop stood still.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import process from 'node:process';

const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
process.on('message', (message) => {
  if (message === 'reset') delay.reset();
  process.send?.({ worstMs: delay.max / 1e6, rssBytes: process.memoryUsage().rss });
});
