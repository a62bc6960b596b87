// `npm start`: builds when a source is newer than the last build, then runs the server with the
// arguments given after `--`.
import { build, isStale } from './build.mjs';

if (isStale()) {
  process.stderr.write('building…\n');
  await build();
}
process.argv.splice(2, 0, 'serve');
await import(new URL('../dist/sonde.js', import.meta.url).href);
