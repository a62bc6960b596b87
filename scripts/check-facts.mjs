// Facts that should be written in one place: paths, scopes, response types, what a bundle contains. Each row counts the
// places where one is written today. More than its bound fails, with a list of all places. Whoever removes some lowers
// the bound. The last rows read dist/, so `npm run build` comes first.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const SOURCES = ['src'];

/**
 * @typedef {{ what: string, bound: number, instead: string, places: () => string[] | Promise<string[]> }} Fact
 * @type {Fact[]}
 */
export const FACTS = [
  {
    what: 'source files with a path of the API',
    bound: 49,
    instead: 'use the path in the facts of its operation',
    places: () => filesWith(`['"\`]/(api|v1|r)/`),
  },
  {
    what: 'source files with a scope',
    bound: 27,
    instead: 'use the access in the facts of its operation',
    places: () => filesWith(`'(stream|proxy|audit|compare):(read|write|create|admin)'`),
  },
  {
    what: 'descriptions that repeat a scope',
    bound: 23,
    instead: 'descriptions get the scope from the facts of their operation',
    places: () => linesWith('Scope `', SOURCES),
  },
  {
    what: 'source files that import Hono',
    bound: 20,
    instead: 'add the operation to the table of operations',
    places: () => filesWith(`['"]@?hono`),
  },
  {
    what: 'responses whose type the command line repeats',
    bound: 0,
    instead: 'infer the type from the schema of the operation',
    places: () => linesWith(`callJson<|interface (Shown|Listed)`, ['src/cli']),
  },
  {
    what: 'generated files that nobody reads and Git tracks',
    bound: 0,
    instead: 'build them',
    places: () => git('ls-files', 'docs/WORDING.txt', 'dashboard/src/api/schema.d.ts'),
  },
  {
    what: 'bundles with zod that need none',
    bound: 0,
    instead: 'import types only, from a module without schemas',
    places: () =>
      bundlesWith(/\bZodObject\b|from\s*["']zod["']/, [...threadsBut('request'), 'audit.js', ...pages()]),
  },
  {
    what: 'bundles with parse5 that need none',
    bound: 0,
    instead: 'import it only where documents are parsed',
    places: () =>
      bundlesWith(/parse5|isAppropriateEndTagToken/, [...threadsBut('request', 'document'), ...pages()]),
  },
  {
    what: 'values of sonde/net',
    bound: 20,
    instead: 'export it from an internal door',
    places: async () => Object.keys(await import(pathToFileURL(join(root, 'dist', 'node-net.js')).href)),
  },
  {
    what: 'published declarations',
    bound: 1176,
    instead: 'publish only declarations that a public one needs',
    places: publishedDeclarations,
  },
  {
    what: 'packages that installing sonde brings',
    bound: 30,
    instead: 'bundle it as a development dependency',
    places: () => packagesBelow(''),
  },
];

/** @param {...string} args @returns {string[]} */
function git(...args) {
  try {
    return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
  } catch (error) {
    // git grep ends with 1 if there is no match.
    if (/** @type {{ status?: number }} */ (error).status === 1) return [];
    throw error;
  }
}

/** @param {string} pattern @returns {string[]} */
function filesWith(pattern) {
  return git('grep', '--untracked', '-lE', pattern, '--', ...SOURCES, ':!*.test.*');
}

/** @param {string} pattern @param {readonly string[]} folders @returns {string[]} */
function linesWith(pattern, folders) {
  return git('grep', '--untracked', '-nE', pattern, '--', ...folders, ':!*.test.*');
}

/** @param {...string} names @returns {string[]} all bundles of threads but these */
function threadsBut(...names) {
  return readdirSync(join(root, 'dist')).filter(
    (file) => file.endsWith('-worker.js') && !names.includes(file.replace('-worker.js', '')),
  );
}

/** @returns {string[]} bundles that pages load */
function pages() {
  const assets = readdirSync(join(root, 'dist', 'dashboard', 'assets')).filter((file) =>
    file.endsWith('.js'),
  );
  return ['client.js', 'client-ai-sdk.js', ...assets.map((file) => `dashboard/assets/${file}`)];
}

/** @param {RegExp} pattern @param {readonly string[]} bundles @returns {string[]} */
function bundlesWith(pattern, bundles) {
  return bundles.flatMap((bundle) =>
    [...withChunks(bundle)].filter((file) => pattern.test(readFileSync(join(root, 'dist', file), 'utf8'))),
  );
}

/** @param {string} file @param {Set<string>} [known] @returns {Set<string>} a bundle with the chunks that it loads at its start */
function withChunks(file, known = new Set()) {
  if (known.has(file)) return known;
  known.add(file);
  const text = readFileSync(join(root, 'dist', file), 'utf8');
  for (const [, chunk = ''] of text.matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g)) {
    withChunks(join(dirname(file), chunk), known);
  }
  return known;
}

/** @returns {string[]} */
function publishedDeclarations() {
  const packed = execFileSync('npm', ['pack', '--dry-run', '--ignore-scripts', '--json'], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [{ files }] = JSON.parse(packed);
  return files
    .map((/** @type {{ path: string }} */ { path }) => path)
    .filter((/** @type {string} */ path) => path.endsWith('.d.ts'));
}

/** @typedef {{ dependencies?: Record<string, string>, optionalDependencies?: Record<string, string>, os?: string[], cpu?: string[], libc?: string[] }} Locked */

/** What npm would install below a package of the lockfile, on one platform. @param {string} from @returns {string[]} */
function packagesBelow(from) {
  /** @type {{ packages: Record<string, Locked> }} */
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  /** @type {Set<string>} */
  const found = new Set();
  /** @param {string} at */
  const visit = (at) => {
    const { dependencies, optionalDependencies } = packages[at] ?? {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const path = resolved(at, name, packages);
      if (path === undefined || found.has(path) || !isOnLinux(packages[path] ?? {})) continue;
      found.add(path);
      visit(path);
    }
  };
  visit(from);
  return [...found];
}

/** @param {string} at @param {string} name @param {Record<string, Locked>} packages @returns {string | undefined} */
function resolved(at, name, packages) {
  for (let folder = at; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const path = `${folder}${folder === '' ? '' : '/'}node_modules/${name}`;
    if (packages[path]) return path;
    if (folder === '') return undefined;
  }
}

/** @param {Locked} locked */
function isOnLinux({ os = ['linux'], cpu = ['x64'], libc = ['glibc'] }) {
  return os.includes('linux') && cpu.includes('x64') && libc.includes('glibc');
}

/** The lines of each part, for information only. */
function printLines() {
  /** @type {Map<string, number>} */
  const lines = new Map();
  for (const file of git('ls-files', ...SOURCES).filter(
    (name) => /\.ts$/.test(name) && !/\.test\.ts$/.test(name),
  )) {
    if (!existsSync(join(root, file))) continue;
    const [, part = ''] = file.split('/');
    const name = part.endsWith('.ts') ? 'files of the root' : part;
    lines.set(name, (lines.get(name) ?? 0) + readFileSync(join(root, file), 'utf8').split('\n').length - 1);
  }
  const sorted = [...lines].sort(([, a], [, b]) => b - a);
  const total = sorted.reduce((sum, [, count]) => sum + count, 0);
  console.error(`source lines: ${total} (${sorted.map(([name, count]) => `${name} ${count}`).join(', ')})`);
}

let exceeded = 0;
for (const { what, bound, instead, places } of FACTS) {
  const found = await places();
  const isLower = found.length < bound ? `; lower its bound to ${found.length}` : '';
  console.error(`${what}: ${found.length} of at most ${bound}${isLower}`);
  if (found.length <= bound) continue;
  exceeded++;
  for (const place of found) console.error(`  ${place}`);
  console.error(`  To fix it: ${instead}.`);
}
printLines();
console.error(exceeded === 0 ? 'facts: ok' : `facts: ${exceeded} bounds exceeded`);
process.exitCode = exceeded === 0 ? 0 : 1;
