// `npm start`: builds if a source is newer than the last build, then runs the server in this process with the arguments
// after `--`.
import { build, isStale } from './build.mjs';

const PARENT_CHECK_MS = 250;

/** A shell between npm and this process may exit on a signal without forwarding it; the server must not outlive it. */
function stopWithParent() {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
  }, PARENT_CHECK_MS).unref();
}

if (process.env['npm_lifecycle_event'] === 'start') stopWithParent();
if (isStale()) {
  process.stderr.write('building…\n');
  await build();
}
process.argv.splice(2, 0, 'serve');
await import(new URL('../dist/sonde.js', import.meta.url).href);
