// Loaded into the measured process before the program: event loop delay and the most memory it held, told at
// its end on the IPC channel.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

if (isMainThread && process.send) {
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  const send = process.send.bind(process);
  process.channel?.unref();
  process.on('exit', () => {
    const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
    send({
      p99Ms: delay.percentile(99) / 1e6,
      maxMs: delay.max / 1e6,
      rssMb: maxRSS / 1024,
      cpuSeconds: (userCPUTime + systemCPUTime) / 1e6,
    });
  });
}
