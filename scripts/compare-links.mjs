// Compares the broken links found by `sonde audit` with those of linkinator on a folder of HTML, served on loopback:
// `node scripts/compare-links.mjs FOLDER [START]`. Needs a build, and downloads linkinator with npx. A URL that only
// one of them reports as broken is requested once more; the script fails if that request proves Sonde wrong.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [given, start = '/'] = process.argv.slice(2);
if (given === undefined) throw new Error('usage: node scripts/compare-links.mjs FOLDER [START]');
const folder = given;

const OUTPUT_BYTES_MAX = 500_000_000;
/** @type {Record<string, string>} */
const TYPES = { '.html': 'text/html; charset=utf-8', '.css': 'text/css', '.js': 'text/javascript' };

/**
 * @param {string} path
 * @returns {Promise<string | undefined>}
 */
async function fileAt(path) {
  const file = join(folder, path);
  const found = await stat(file).catch(() => undefined);
  if (!found) return undefined;
  return found.isDirectory() ? fileAt(join(path, 'index.html')) : file;
}

const server = createServer(async (request, response) => {
  const path = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname);
  const isFolder = (await stat(join(folder, path)).catch(() => undefined))?.isDirectory();
  if (isFolder && !path.endsWith('/')) return void response.writeHead(301, { location: `${path}/` }).end();
  const file = await fileAt(path);
  if (file === undefined) return void response.writeHead(404, { 'content-type': 'text/html' }).end('missing');
  const type = TYPES[extname(file)] ?? 'application/octet-stream';
  response.writeHead(200, { 'content-type': type }).end(await readFile(file));
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
const origin = `http://127.0.0.1:${port}`;
const work = await mkdtemp(join(tmpdir(), 'sonde-links-'));

/** @returns {Promise<{ broken: Set<string>, anchors: number, pages: number }>} */
async function bySonde() {
  const report = join(work, 'report.json');
  await run(process.execPath, [
    ...[join(root, 'dist', 'sonde.js'), 'audit', origin + start, '--allow-private', origin],
    ...['--delay', '0', '--pages', '5000', '--depth', '100', '--checks', '5000', '--links', 'internal'],
    ...['--rules', 'link.broken-internal,asset.*', '--fail-on', 'never', '-r', `json=${report}`],
  ]);
  /** @type {{ rules: { issues: { url: string }[] }[], counts: { pages: number } }} */
  const { rules, counts } = JSON.parse(await readFile(report, 'utf8'));
  const urls = rules.flatMap(({ issues }) => issues.map(({ url }) => url));
  /** @param {string} url */
  const isAnchor = (url) => url.includes('#');
  return {
    broken: new Set(urls.filter((url) => !isAnchor(url))),
    anchors: urls.filter(isAnchor).length,
    pages: counts.pages,
  };
}

/** @returns {Promise<Set<string>>} */
async function byLinkinator() {
  const args = [
    '--yes',
    'linkinator@6',
    origin + start,
    '--recurse',
    '--format',
    'json',
    '--concurrency',
    '10',
  ];
  const { stdout } = await run('npx', [...args, '--skip', '^https?://(?!127\\.0\\.0\\.1)'], {
    maxBuffer: OUTPUT_BYTES_MAX,
  }).catch((thrown) => thrown);
  /** @type {{ links: { url: string, state: string }[] }} */
  const { links } = JSON.parse(stdout);
  const broken = links.filter(({ state }) => state === 'BROKEN').map(({ url }) => url.replace(/#.*/, ''));
  return new Set(broken);
}

/** @param {string} url */
const statusOf = async (url) => (await fetch(url)).status;

try {
  const sonde = await bySonde();
  const linkinator = await byLinkinator();
  const both = [...sonde.broken].filter((url) => linkinator.has(url));
  console.log(
    `${sonde.pages} pages; broken: sonde ${sonde.broken.size}, linkinator ${linkinator.size}, both ${both.length}`,
  );
  console.log(`broken anchors, which linkinator does not check: ${sonde.anchors}`);
  let wrong = 0;
  for (const url of [...sonde.broken].filter((each) => !linkinator.has(each))) {
    const status = await statusOf(url);
    if (status < 400) wrong += 1;
    console.log(`only sonde: ${url} returns ${status}`);
  }
  for (const url of [...linkinator].filter((each) => !sonde.broken.has(each))) {
    const status = await statusOf(url);
    if (status >= 400) wrong += 1;
    console.log(`only linkinator: ${url} returns ${status}`);
  }
  console.log(`${wrong} URLs that Sonde classified wrongly`);
  process.exitCode = wrong === 0 ? 0 : 1;
} finally {
  server.close();
  server.closeAllConnections();
  await rm(work, { recursive: true, force: true });
}
