// Preloaded into the measured process: records event loop delay and peak memory, and reports them on the IPC channel
// when the process ends.
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
