// The compiler enforces the arrows between parts (tsconfig references). This script catches what references cannot see:
// a core project whose file list contains Node's types, usually because the types of a dependency pulled them in, and a
// core source file that imports a Node module. It also rejects `URL.canParse`, which cannot be trusted; see
// src/try-url.ts.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const src = join(root, 'src');

/** @returns {string[]} every project of the product except the runtimes */
function coreProjects() {
  const folders = readdirSync(src, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const projects = folders
    .filter(({ name }) => name !== 'runtimes')
    .map(({ name }) => join(src, name, 'tsconfig.json'));
  const client = join(root, 'packages', 'client', 'tsconfig.json');
  return [join(src, 'tsconfig.json'), join(root, 'tsconfig.entry.json'), client, ...projects];
}

/** @param {string} project @returns {string[]} */
function faultsOf(project) {
  const listed = execFileSync(
    process.execPath,
    [join(root, 'node_modules/typescript-7/bin/tsc'), '-p', project, '--listFilesOnly'],
    {
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  const files = listed.split('\n').filter((file) => file !== '');
  const name = relative(root, project);
  const typed = files.filter((file) => file.includes('node_modules/@types/node/'));
  const importing = files
    .filter(
      (file) =>
        (file.startsWith(`${src}/`) || file.startsWith(join(root, 'packages'))) &&
        /from 'node:|import\('node:/.test(readFileSync(file, 'utf8')),
    )
    .map((file) => `${name}: ${relative(root, file)} imports a Node module`);
  return [...(typed.length > 0 ? [`${name}: sees Node's types through a dependency`] : []), ...importing];
}

/** @returns {string[]} */
function distrustedCalls() {
  return readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && file !== 'try-url.ts')
    .filter((file) => readFileSync(join(src, file), 'utf8').includes('URL.canParse('))
    .map((file) => `src/${file}: calls URL.canParse instead of tryUrl`);
}

const faults = [...coreProjects().flatMap(faultsOf), ...distrustedCalls()];
for (const fault of faults) console.error(fault);
console.error(faults.length === 0 ? 'boundaries: ok' : `boundaries: ${faults.length} faults`);
process.exitCode = faults.length === 0 ? 0 : 1;
