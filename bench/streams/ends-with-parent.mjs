// Preloaded into every process of the streams benchmark: it ends when the benchmark ends, in whatever way.
import { isMainThread } from 'node:worker_threads';

if (isMainThread && process.channel) {
  process.channel.unref();
  process.on('disconnect', () => process.exit());
}
