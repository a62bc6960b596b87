/**
 * The action in the checkout of a hostile branch, against a hostile page: nothing that the branch planted is published,
 * executed or written through, and the runner obeys only Sonde's own annotations.
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { repositoryOfSonde, runAction } from '../support/ci-runners.js';
import { type Listening, listenHttp } from '../support/listen.js';
import { folderWith } from './cli-process.js';

const parent = mkdtempSync(join(tmpdir(), 'sonde-branch-'));
const TOKEN = 'AUTHORIZATION: basic c2VjcmV0LW9mLXRoZS1jaGVja291dA==';
const PAD = 'word '.repeat(12);
const COMMANDS = ['##[stop-commands]x', '##[add-mask]y', '##vso[task.complete]z'];

interface Seen {
  readonly site: Listening;
  readonly credentials: (string | undefined)[];
}

let action: string;
let left: Seen;
let right: Seen;
let elsewhere: Seen;
let published: string[];
let github: Listening;

async function site(name: string): Promise<Seen> {
  const credentials: (string | undefined)[] = [];
  const listening = await listenHttp((request, response) => {
    credentials.push(request.headers.authorization);
    const text = `${name} ${COMMANDS.join(' ')} ${PAD} ::set-output name=x::${name} ${PAD} ::error::forged`;
    response.writeHead(200, { 'content-type': 'text/html', 'x-robots-tag': `${name} ::warning::forged` });
    response.end(`<title>${text}</title><meta name="description" content="${PAD} ${text}"><p>${text}</p>`);
  });
  return { site: listening, credentials };
}

beforeAll(async () => {
  action = repositoryOfSonde(parent);
  [left, right, elsewhere] = await Promise.all([site('left'), site('right'), site('elsewhere')]);
  github = await listenHttp(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (request.method === 'GET') return response.end('[]');
    published.push(Buffer.concat(chunks).toString());
    return response.end('{}');
  });
});
afterAll(async () => {
  for (const each of [left, right, elsewhere]) await each.site.close();
  await github.close();
  rmSync(parent, { recursive: true, force: true });
});
beforeEach(() => {
  published = [];
  for (const { credentials } of [left, right, elsewhere]) credentials.length = 0;
});

const run = (folder: string, inputs: Record<string, string> = {}) =>
  runAction({
    folder,
    action,
    inputs: {
      left: left.site.origin,
      right: right.site.origin,
      samples: '1',
      'allow-private': [left, right, elsewhere].map((each) => each.site.origin).join('\n'),
      comment: 'true',
      ...inputs,
    },
    event: { name: 'pull_request', payload: { pull_request: { number: 7 } } },
    env: { GITHUB_API_URL: github.origin, GITHUB_REPOSITORY: 'you/shop' },
  });

/** A checkout with the token that actions/checkout leaves there. */
function checkout(files: Readonly<Record<string, string>> = {}): string {
  const folder = folderWith(files);
  mkdirSync(join(folder, '.git'));
  writeFileSync(join(folder, '.git/config'), TOKEN);
  mkdirSync(join(folder, 'sonde-report'));
  return folder;
}

/** What GitHub's runner would obey in a log, as `ActionCommandManager` reads it. */
function obeyed(log: string): string[] {
  const found: string[] = [];
  let stop: string | undefined;
  for (const line of log.split(/\r\n|\n|\r/)) {
    const text = line.trimStart();
    if (stop !== undefined) {
      if (text === `::${stop}::`) stop = undefined;
    } else if (text.startsWith('::stop-commands::')) stop = text.slice('::stop-commands::'.length);
    else if (/^::\w/.test(text)) found.push(text);
    else found.push(...(/##\[\S*/.exec(line) ?? []));
  }
  return found;
}

test('a compared page issues no command to the runner, and the annotations are there', async () => {
  const { steps } = await run(checkout());
  const log = steps.map(({ stdout, stderr }) => stdout + stderr).join('\n');
  const commands = obeyed(log);
  expect(commands.filter((line) => !/^::(?:error|warning|notice) title=[A-Z_]/.test(line))).toEqual([]);
  expect(commands.length).toBeGreaterThan(0);
  // Also where the runner does not know of the pause, as in a container that prints to the same log.
  expect(log).not.toMatch(/##(?:vso)?\[/);
  expect(log).not.toMatch(/^\s*::(?:set-output|error::)/m);
});

test('the same holds for an audit', async () => {
  const { steps } = await run(checkout(), { mode: 'audit', url: left.site.origin, pages: '1' });
  const commands = obeyed(steps.map(({ stdout, stderr }) => stdout + stderr).join('\n'));
  expect(commands.filter((line) => !/^::(?:error|warning|notice) title=/.test(line))).toEqual([]);
  expect(commands.length).toBeGreaterThan(0);
});

test('a planted report is not published when the run fails before it writes its own', async () => {
  const folder = checkout({ 'baseline.json': 'broken' });
  for (const name of ['report.md', 'report.html', 'report.sarif'])
    writeFileSync(join(folder, 'sonde-report', name), 'planted: pass');
  const { steps, summary, used } = await run(folder, { baseline: 'baseline.json', 'upload-sarif': 'true' });
  expect(steps.map(({ id, code }) => [id, code])).toContainEqual(['verdict', 2]);
  expect(summary).toBe('');
  expect(published.join()).not.toContain('planted');
  expect(published.join()).toContain('Sonde wrote no report');
  expect(used.map(({ uses }) => uses.split('@')[0])).toEqual(['actions/setup-node']);
});

test('a report is never written or published through a link', async () => {
  const folder = checkout();
  symlinkSync('../.git/config', join(folder, 'sonde-report/report.md'));
  const first = await run(folder);
  symlinkSync('../.git/config', join(folder, 'sonde-report/else'));
  rmSync(join(folder, 'sonde-report/report.md'), { force: true });
  symlinkSync('../.git/config', join(folder, 'sonde-report/report.md'));
  const second = await run(folder);
  for (const { failed, summary, used } of [first, second]) {
    expect(failed).toBe(true);
    expect(summary).not.toContain('AUTHORIZATION');
    expect(used.map(({ uses }) => uses.split('@')[0])).toEqual(['actions/setup-node']);
  }
  expect(second.steps.find(({ id }) => id === 'run')?.stderr).toContain('is a link');
  expect(published.join()).not.toContain('AUTHORIZATION');
  expect(readFileSync(join(folder, '.git/config'), 'utf8')).toBe(TOKEN);
  expect(readlinkSync(join(folder, 'sonde-report/report.md'))).toBe('../.git/config');
});

test.each(['sonde-report', 'out'])('a report folder behind the link %s is refused', async (name) => {
  const folder = checkout();
  rmSync(join(folder, 'sonde-report'), { recursive: true });
  mkdirSync(join(folder, '.git/deep'));
  symlinkSync('.git/deep', join(folder, name));
  const { steps } = await run(folder, name === 'out' ? { report: 'out/sonde-report' } : {});
  expect(steps.find(({ id }) => id === 'run')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is a link'),
  });
  expect(existsSync(join(folder, '.git/deep/report.md'))).toBe(false);
});

test('a configuration file of the checkout is not used, and gets no credential', async () => {
  const header = 'Authorization: Bearer secret-of-the-left-side';
  const port = (seen: Seen) => new URL(seen.site.origin).port;
  const connectTo = { [`127.0.0.1:${port(left)}`]: `127.0.0.1:${port(elsewhere)}` };
  const json = checkout({ 'sonde.config.json': JSON.stringify({ net: { connectTo } }) });
  const ran = `import { writeFileSync } from 'node:fs';\nwriteFileSync('ran', JSON.stringify(process.env));\nexport default {};`;
  const ts = checkout({ 'sonde.config.ts': ran });
  for (const folder of [json, ts]) await run(folder, { 'header-left': header });
  expect(elsewhere.credentials).toEqual([]);
  expect(left.credentials).toContain('Bearer secret-of-the-left-side');
  expect(existsSync(join(ts, 'ran'))).toBe(false);
  const named = await run(json, { config: 'sonde.config.json', 'header-left': header });
  expect(named.steps.find(({ id }) => id === 'run')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('config cannot be combined with header-left'),
  });
  expect(elsewhere.credentials).toEqual([]);
});

test('a configuration file that an input names is used', async () => {
  const ran = `import { writeFileSync } from 'node:fs';\nwriteFileSync('ran', JSON.stringify(process.env));\nexport default {};`;
  const folder = checkout({ 'sonde.config.ts': ran });
  await run(folder, { config: 'sonde.config.ts' });
  expect(existsSync(join(folder, 'ran'))).toBe(true);
});
