// `npm run faults` runs every long fault part, and `npm run faults -- NAME…` only those. A part is a file
// test/faults/NAME.fault.ts; a new one needs no registration. The version that is quick enough for `npm test` is
// NAME.test.ts next to it.
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const SUFFIX = '.fault.ts';
const parts = readdirSync(join(root, 'test', 'faults'))
  .filter((name) => name.endsWith(SUFFIX))
  .map((name) => name.slice(0, -SUFFIX.length));

const named = process.argv.slice(2);
const unknown = named.filter((name) => !parts.includes(name));
if (unknown.length > 0) {
  console.error(`There is no fault part ${unknown.join(', ')}. There are: ${parts.join(', ')}.`);
  process.exit(2);
}
const files = (named.length > 0 ? named : parts).map((name) => `test/faults/${name}${SUFFIX}`);
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
const args = [vitest, 'run', '--config', 'vitest.faults.config.ts', ...files];
const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' });
child.on('exit', (code, signal) => {
  process.exitCode = code ?? (signal ? 1 : 0);
});
