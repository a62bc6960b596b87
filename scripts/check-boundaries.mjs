// Checks the arrows between parts (docs/ARCHITECTURE.md) before the compiler does, which answers one forbidden import
// with an error for every file behind it. The arrows are the references of the projects. It also catches what references
// cannot see: a core project whose file list contains Node's types, usually because the types of a dependency pulled
// them in. It also rejects values of `api` in `cli`, which only reads the types of responses there, and `URL.canParse`,
// which cannot be trusted; see src/try-url.ts.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const src = join(root, 'src');
const IMPORT = /(?:\bfrom|\bimport) ?\(?'([^']+)'/g;

/** @typedef {{ folder: string, mayImport: ReadonlySet<string>, isCore: boolean }} Project */

/** @returns {string[]} the files of the product whose paths end like this */
function filesEndingWith(/** @type {string} */ suffix) {
  return [src, join(root, 'packages')].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith(suffix) && !file.includes('node_modules'))
      .map((file) => join(folder, file)),
  );
}

/** @returns {Project[]} the projects, the deepest first */
function projects() {
  return filesEndingWith('tsconfig.json')
    .map((path) => {
      const folder = dirname(path);
      const { references = [] } = JSON.parse(readFileSync(path, 'utf8'));
      const paths = references.map((/** @type {{ path: string }} */ { path }) => join(folder, path));
      const isCore = !folder.startsWith(join(src, 'runtimes'));
      return { folder, mayImport: new Set([folder, ...paths]), isCore };
    })
    .sort((a, b) => b.folder.length - a.folder.length);
}

/** @param {readonly Project[]} all @returns {string[]} */
function forbiddenImports(all) {
  /** @param {string} file */
  const projectOf = (file) => all.find(({ folder }) => file.startsWith(`${folder}/`));
  return sourceFiles().flatMap(({ file, text }) => {
    const own = projectOf(file);
    // The package's main export belongs to a project outside src.
    if (!own || file === join(src, 'index.ts')) return [];
    return [...text.matchAll(IMPORT)].flatMap(({ 1: name = '', index }) => {
      const at = `${relative(root, file)}:${text.slice(0, index).split('\n').length}`;
      if (name.startsWith('node:') && own.isCore) {
        return `${at}: ${name} is for src/runtimes/node only; all other parts use web standards`;
      }
      const target = name.startsWith('.') ? projectOf(join(dirname(file), name)) : undefined;
      if (!target || own.mayImport.has(target.folder)) return [];
      const [from, to] = [own, target].map(({ folder }) => relative(root, folder));
      return `${at}: ${from} may not import ${to} (arrows in docs/ARCHITECTURE.md)`;
    });
  });
}

/** @returns {{ file: string, text: string }[]} without tests, which may import anything */
function sourceFiles() {
  return filesEndingWith('.ts')
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => ({ file, text: readFileSync(file, 'utf8') }));
}

/** @param {string} folder @returns {boolean} */
function seesNodeTypes(folder) {
  const tsc = join(root, 'node_modules/typescript-7/bin/tsc');
  const options = /** @type {const} */ ({ encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  const listed = execFileSync(process.execPath, [tsc, '-p', folder, '--listFilesOnly'], options);
  return listed.includes('node_modules/@types/node/');
}

/** @returns {string[]} */
function distrustedCalls() {
  return sourceFiles()
    .filter(({ file, text }) => file !== join(src, 'try-url.ts') && text.includes('URL.canParse('))
    .map(({ file }) => `${relative(root, file)}: calls URL.canParse instead of tryUrl`);
}

/** The command line starts without the server, so it must not load its schemas. @returns {string[]} */
function valuesOfApi() {
  return sourceFiles()
    .filter(
      ({ file, text }) =>
        file.startsWith(join(src, 'cli')) &&
        /^(?:import|export) (?!type\b)[^;]*?from '(?:\.\.\/)+api\//m.test(text),
    )
    .map(({ file }) => `${relative(root, file)}: imports more than types from api`);
}

const all = projects();
const faults = [...forbiddenImports(all), ...valuesOfApi(), ...distrustedCalls()];
if (faults.length === 0) {
  const core = all.filter(({ isCore }) => isCore).map(({ folder }) => folder);
  const leaking = [...core, join(root, 'tsconfig.entry.json')].filter(seesNodeTypes);
  faults.push(...leaking.map((path) => `${relative(root, path)}: sees Node's types through a dependency`));
}
for (const fault of faults) console.error(fault);
console.error(faults.length === 0 ? 'boundaries: ok' : `boundaries: ${faults.length} faults`);
process.exitCode = faults.length === 0 ? 0 : 1;
