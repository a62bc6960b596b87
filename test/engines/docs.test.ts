/**
 * Runs the README, the guides and the examples: every command and program runs, and every file and output shown is the
 * real one. Nothing leaves the machine: public names stand for local sites. package.test.ts type-checks the programs
 * against the packed package.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type OpenDemo, openDemo } from '../../src/cli/demo/open-demo.js';
import { SETTING_ROWS } from '../../src/config/setting-rows.js';
import { listenLocally } from '../../src/runtimes/node/listen-locally.js';
import { blocksOf, PAGES, ROOT, type Session, walkPage } from '../support/doc-pages.js';
import { findPostgres } from '../support/find-postgres.js';
import { type Listening, listenHttp } from '../support/listen.js';
import { type LlmUpstream, startLlm, WORDS } from '../support/llm-upstream.js';
import { newDatabase } from '../support/postgres-database.js';
import { sonde } from './cli-process.js';

const MINUTES = 60_000;
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

let sites: OpenDemo;
let llm: LlmUpstream;
let upstream: Listening;
let asked: (string | undefined)[] = [];

beforeAll(async () => {
  sites = await openDemo({ listenLocally });
  llm = await startLlm();
  upstream = await listenHttp((request, response) => {
    asked.push(request.headers.authorization);
    request.resume().on('end', () => response.end('one stored answer'));
  });
});
afterAll(async () => {
  await sites.close();
  await llm.close();
  await upstream.close();
});

const environments = () => ({
  'https://staging.example.com': sites.staging,
  'https://example.com': sites.production,
});
const allowed = () => ({ SONDE_ALLOW_PRIVATE: `${sites.staging},${sites.production},${upstream.origin}` });
/** A private upstream must be marked as private in the allowlist. */
const api = () => ({
  "'https://api.example.com/v1/*'": `'private:${upstream.origin}/v1/*'`,
  'https://api.example.com': upstream.origin,
});

const ACCOUNT =
  'needs an account; docs/DEPLOY-CLOUDFLARE.md, npx wrangler deploy --dry-run runs in test/edge';

const SESSIONS: Readonly<Record<string, () => Session | Promise<Session>>> = {
  'README.md': () => ({
    here: {
      ...api(),
      ...environments(),
      'http://localhost:3000': sites.staging,
      "paths: ['/', '/pricing'],": `paths: ['/', '/account'], allowPrivate: ['${sites.staging}', '${sites.production}'],`,
      '{ pages: 20 }': `{ pages: 2, allowPrivate: ['${sites.production}'] }`,
      'createOutboundClient()': `createOutboundClient({ allowPrivate: ['${sites.production}'] })`,
    },
    env: { ...allowed(), API_KEY: 'k1' },
    files: { 'paths.txt': '/\n/api/products\n/account\n/old-shop\n/health\n' },
    exits: { 'npx sonde compare': 1, 'npx sonde audit': 1, "npx sonde net check 'http://0x7f.1/'": 1 },
    elsewhere: { 'npm ci': 'scripts/first-minute.mjs' },
  }),
  'CONTRIBUTING.md': () => ({ elsewhere: { npm: 'the commands of this repository itself' } }),
  'docs/DEPLOY-CLOUDFLARE.md': () => ({
    elsewhere: {
      'npm run dev:edge': 'scripts/edge-server.mjs, by which all of test/edge runs',
      'node scripts/build-edge.mjs': 'test/support/build-edge-once.ts',
      'npx wrangler': ACCOUNT,
      'node -e': ACCOUNT,
      'curl ': ACCOUNT,
    },
  }),
  'docs/OPERATIONS.md': () => ({}),
  'docs/guides/ci-gate.md': () => ({
    here: environments(),
    env: allowed(),
    exits: {
      'npx sonde compare https://staging.example.com https://example.com --paths paths.txt --fail-on': 1,
      'npx sonde compare https://staging.example.com https://example.com --paths paths.txt -r': 1,
      'npx sonde audit': 1,
    },
  }),
  'docs/guides/llm-streaming.md': () => ({
    here: {
      "'https://api.openai.com/v1/*'": `'private:${llm.origin}/v1/*'`,
      'https://api.openai.com': llm.origin,
      'https://api.anthropic.com': llm.origin,
      '"tenants": ["default"] }': '"tenants": ["default"], "private": true }',
    },
    env: { OPENAI_API_KEY: 'k1', ANTHROPIC_API_KEY: 'k2' },
    printed: (output) => expect(['', WORDS.join('')]).toContain(output),
  }),
  'docs/guides/postgresql.md': async () => {
    const { bin } = findPostgres();
    const hasDump = existsSync(join(bin, 'pg_dump'));
    return {
      here: {
        ...environments(),
        'postgres://sonde:password@db.example.com:5432/sonde': await newDatabase('template0'),
      },
      env: { ...allowed(), PATH: `${bin}:${process.env['PATH']}` },
      // The server binaries from npm come without it.
      elsewhere: hasDump ? {} : { pg_dump: 'not installed' },
    };
  },
  'docs/guides/security.md': () => ({ exits: { "npx sonde net check 'http://0x7f.1/'": 1 } }),
  'docs/guides/tenants-and-tokens.md': () => ({ here: environments(), env: allowed() }),
  'examples/chat/README.md': () => ({
    elsewhere: { 'node examples/chat/server.mjs': 'test/browser/example-chat.test.ts' },
  }),
  'examples/python/README.md': () => ({
    here: api(),
    env: { API_KEY: 'k1' },
    files: { 'resume.py': read('examples/python/resume.py') },
  }),
  'examples/pair-object/README.md': () => ({
    elsewhere: { 'npx wrangler': 'test/edge/example-pair-object.test.ts' },
  }),
  'examples/worker/README.md': () => ({ elsewhere: { 'npx wrangler': 'test/edge/example-worker.test.ts' } }),
};

test('every page with instructions has a session here', () => {
  const showing = PAGES.filter((page) =>
    blocksOf(page).some(({ language }) => !['', 'text'].includes(language)),
  );
  expect(showing.sort()).toEqual(Object.keys(SESSIONS).sort());
});

describe.each(Object.keys(SESSIONS))('%s', (page) => {
  test(
    'works as written',
    async () => {
      asked = [];
      llm.reset();
      const session = (await SESSIONS[page]?.()) ?? {};
      const cwd = await walkPage(page, session);
      if (page === 'README.md') {
        expect(asked).toEqual(['Bearer k1', undefined]);
        expect(existsSync(join(cwd, 'report.html'))).toBe(true);
      }
      if (page.endsWith('llm-streaming.md')) expect(llm.calls).toHaveLength(5);
      if (page.startsWith('examples/python')) {
        expect(asked).toEqual(['Bearer k1']);
        expect(readFileSync(join(cwd, 'answer.txt'), 'utf8')).toBe('one stored answer');
      }
    },
    5 * MINUTES,
  );

  test('YAML and JSON parse', () => {
    for (const { language, text } of blocksOf(page)) {
      if (language === 'yaml') expect(() => parse(text)).not.toThrow();
      if (language === 'json') expect(() => JSON.parse(text)).not.toThrow();
    }
  });
});

test('the picture in the README shows what the demo prints', async () => {
  const { code, stdout } = await sonde(['demo']);
  expect(code).toBe(0);
  const drawn = [...read('docs/images/demo.svg').matchAll(/>((?:✗| {2})[^<]*)<\/text>/g)];
  // How much a finding explains depends on the speed of the machine.
  const lines = drawn.map((match) => (match[1] ?? '').replace(/ \(explains.*/, ''));
  expect(lines.length).toBeGreaterThan(10);
  for (const line of lines) expect(stdout).toContain(line);
});

/** Anchors as GitHub derives them from headings. */
const anchorsOf = (page: string): string[] =>
  [...read(page).matchAll(/^#+ (.*)$/gm)].map((match) =>
    (match[1] ?? '')
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );

test('every link points to an existing file and heading', () => {
  const pages = [...PAGES, 'docs/reference/cli.md', 'docs/reference/api.md'];
  const broken = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)].flatMap((match) => {
      const [, path = '', anchor] = match;
      const target = path === '' ? page : join(dirname(page), path);
      if (!existsSync(join(ROOT, target))) return [`${page}: ${path}`];
      if (anchor !== undefined && !anchorsOf(target).includes(anchor)) return [`${page}: #${anchor}`];
      return [];
    }),
  );
  expect(broken).toEqual([]);
});

test('every script and file named on a page exists', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const wrong = PAGES.flatMap((page) => {
    // The first column of that page names files that have since moved.
    const text = page === 'docs/SEEDS.md' ? read(page).replaceAll(/^\|[^|]*\|/gm, '') : read(page);
    const commands = [...text.matchAll(/npm run ([\w:-]+)/g)].map((match) => match[1] ?? '');
    const files = [
      ...text.matchAll(/`((?:src|test|scripts|docs|bench|migrations|ops|examples)\/[\w./-]+\.\w+)`/g),
    ];
    return [
      ...commands.filter((name) => !Object.hasOwn(scripts, name)).map((name) => `${page}: npm run ${name}`),
      ...files
        .filter(([, file = '']) => !/[A-Z]{4}\./.test(file) && !existsSync(join(ROOT, file)))
        .map(([, file]) => `${page}: ${file}`),
    ];
  });
  expect(wrong).toEqual([]);
});

test('everything named on the page about the first designs is where it says', () => {
  const page = read('docs/SEEDS.md');
  const places = [...page.matchAll(/`(\w+)(?:\([^`]*\))?` \(`((?:src|migrations)\/[^`]+\.\w+)`\)/g)];
  expect(places.length).toBeGreaterThan(8);
  expect(places.filter(([, name = '', file = '']) => !read(file).includes(name)).map(([all]) => all)).toEqual(
    [],
  );
  const keys = new Set(SETTING_ROWS.map(({ key }) => key as string));
  const named = [...page.matchAll(/`((?:net|audit|jobs|compare|proxy)\.\w+)`/g)].map(
    (match) => match[1] ?? '',
  );
  expect(named.filter((key) => !keys.has(key))).toEqual([]);
});
