/** A job references a row, and the context of the worker reaches the run. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { asyncPort } from '../../test/support/async-port.js';
import { makeEnvelope } from '../../test/support/make-envelope.js';
import {
  type ComparisonStore,
  comparisonIdOf,
  type EnvDiff,
  pairKeyOf,
  type SuiteStore,
  suitePlan,
} from '../compare/index.js';
import { SondeError } from '../errors.js';
import type { Explainer } from '../explain/index.js';
import type { ClaimedJob, JobRun, Progress } from '../jobs/index.js';
import { createPolicy, type Egress, type HopRequest } from '../net/index.js';
import { type OpenDatabase, openDatabase } from '../runtimes/node/sqlite/open-database.js';
import { sqliteComparisonStore, sqliteSuiteStore } from '../stores/sqlite/run-work.js';
import { createCompareDeps, type SideBox, sealSide } from './compare-deps.js';
import { createCompareHandler, createSuiteHandler } from './compare-job.js';
import { createSuiteDeps } from './suite-deps.js';

const UUID = '00000000-0000-4000-8000-000000000001';
const SIDES = { leftUrl: 'https://staging.example.com/app', rightUrl: 'https://www.example.com/app' };
const tenantId = 'acme';
const pairKey = pairKeyOf({ tenantId, ...SIDES });
const COMPARISON = { tenantId, comparisonId: comparisonIdOf(pairKey, UUID) };
const SUITE = { tenantId, suiteId: UUID };

/** Replaces the server's cipher: a text sealed for one owner opens only for that owner. */
const box: SideBox = {
  seal: async (text, owner) => `${owner}|${text}`,
  open: async (sealed, owner) =>
    sealed.startsWith(`${owner}|`) ? sealed.slice(owner.length + 1) : undefined,
};

let folder: string;
let database: OpenDatabase;
let comparisons: ComparisonStore;
let suites: SuiteStore;
let probed: { url: string; headers: unknown; exchanges: unknown; profile: unknown }[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sonde-compare-job-'));
  database = openDatabase(join(folder, 'sonde.db'));
  const options = { clock: () => 1_000_000 };
  comparisons = asyncPort<ComparisonStore>(sqliteComparisonStore(database, { ...options, hasJobs: false }));
  suites = asyncPort<SuiteStore>(sqliteSuiteStore(database, options));
  probed = [];
});
afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

const compareDeps = (probe?: () => Promise<never>) =>
  createCompareDeps({
    store: comparisons,
    box,
    clock: () => 7,
    provider: {
      async probe(url, { headers, exchanges, profile } = {}) {
        probed.push({ url, headers, exchanges, profile });
        if (probe) return probe();
        return makeEnvelope(url.includes('staging') ? 'left' : 'right', { url });
      },
    } as Parameters<typeof createCompareDeps>[0]['provider'],
  });

function runOf(payload: unknown, job: Partial<ClaimedJob> = {}): JobRun & { readonly reported: Progress[] } {
  const reported: Progress[] = [];
  return {
    reported,
    job: {
      ...{
        jobId: 'job',
        tenantId,
        tenant: 'acme',
        auditId: null,
        kind: 'compare',
        attempt: 1,
        maxAttempts: 3,
      },
      ...{ payload, eventSeq: 0, progressPct: null, leaseToken: 1, ranMs: 0 },
      ...job,
    },
    steps: { do: (_name, _options, act) => act() },
    signal: new AbortController().signal,
    during: (wait) => wait(),
    progress: (event) => void reported.push(event),
  };
}

const createComparison = async (optionsJson = '{"samples":2,"profile":"quick"}', explain = false) =>
  comparisons.createComparison({
    ...COMPARISON,
    pairKey,
    ...SIDES,
    optionsJson,
    explain,
    leftSealed: await sealSide(box, { url: `${SIDES.leftUrl}?k=1`, headers: [['x-a', '1']] }),
    rightSealed: null,
  });

test('a comparison job probes both sides with their sealed requests and completes its row', async () => {
  await createComparison();
  const run = runOf(COMPARISON);
  expect(await createCompareHandler(compareDeps())(COMPARISON, run)).toEqual({
    comparisonId: COMPARISON.comparisonId,
  });
  expect(await comparisons.getComparison(COMPARISON)).toMatchObject({
    status: 'completed',
    explanation: { state: 'off' },
  });
  expect(run.reported.at(-1)).toMatchObject({ percent: 100, message: 'done' });
  const left = probed.filter(({ url }) => url.includes('staging'));
  expect(left).toEqual([
    { url: `${SIDES.leftUrl}?k=1`, headers: [['x-a', '1']], exchanges: true, profile: 'quick' },
    // The additional exchanges of a side run once, with its first sample.
    { url: `${SIDES.leftUrl}?k=1`, headers: [['x-a', '1']], exchanges: false, profile: 'quick' },
  ]);
  expect(probed).toHaveLength(4);
});

test('the labels and the candidate reach the findings', async () => {
  await createComparison('{"samples":1,"leftLabel":"old","rightLabel":"new","candidate":"left"}');
  const deps = compareDeps();
  const probe: typeof deps.probe = async ({ url }) =>
    makeEnvelope(url.includes('staging') ? 'left' : 'right', {
      url,
      status: url.includes('staging') ? 500 : 200,
    });
  await createCompareHandler({ ...deps, probe })(COMPARISON, runOf(COMPARISON));
  const row = await comparisons.getComparison(COMPARISON);
  const { diff, timestamp } = JSON.parse(row?.resultJson ?? '') as { diff: EnvDiff; timestamp: number };
  expect(timestamp).toBe(7);
  const status = diff.findings.find(({ code }) => code === 'STATUS_MISMATCH');
  expect(status).toMatchObject({ effect: 'regression', message: expect.stringMatching(/old.*new|new.*old/) });
});

test('stores the text of a model with its name and prompt version', async () => {
  await createComparison('{"samples":1}', true);
  const explainer = {
    explain: async () => ({
      state: 'ready',
      explanation: { summary: 'All well.' },
      model: 'm',
      promptVersion: 3,
    }),
  } as unknown as Explainer;
  await createCompareHandler({ ...compareDeps(), explainer })(COMPARISON, runOf(COMPARISON));
  const { explanation } = (await comparisons.getComparison(COMPARISON)) ?? {};
  expect(explanation).toMatchObject({ state: 'ready', model: 'm', promptVersion: 3 });
  expect(JSON.parse(explanation?.textJson ?? '')).toEqual({ summary: 'All well.' });
});

test.each([
  [1, 'running'],
  [2, 'running'],
  [3, 'failed'],
])('a transient failure on attempt %i of 3 leaves the row %s', async (attempt, status) => {
  await createComparison();
  const down = () => Promise.reject(new Error('reset'));
  const handler = createCompareHandler(compareDeps(down));
  await expect(handler(COMPARISON, runOf(COMPARISON, { attempt }))).rejects.toThrow('reset');
  expect(await comparisons.getComparison(COMPARISON)).toMatchObject({ status });
});

test.each([
  ['timeout', 'running'],
  ['STORAGE_UNAVAILABLE', 'running'],
  ['INTERNAL', 'running'],
  ['ssrf_blocked', 'failed'],
] as const)('a first attempt that fails with %s leaves the row %s', async (code, status) => {
  await createComparison();
  const handler = createCompareHandler(compareDeps(() => Promise.reject(new SondeError(code, 'why'))));
  await expect(handler(COMPARISON, runOf(COMPARISON))).rejects.toMatchObject({ code });
  expect(await comparisons.getComparison(COMPARISON)).toMatchObject({ status });
});

test('fails to open a request sealed with another key and names the setting', async () => {
  await createComparison();
  const deps = compareDeps();
  await expect(deps.openSide(new TextEncoder().encode('another owner|{}'))).rejects.toThrow(
    'SONDE_SEALING_SECRET',
  );
});

/** A document of an egress that serves both sites by URL. */
interface Served {
  readonly status?: number;
  readonly body?: string;
  readonly location?: string;
  readonly fault?: SondeError;
}

function egressOf(pages: Readonly<Record<string, Served>>) {
  const sent: HopRequest[] = [];
  const egress: Egress = {
    assurance: 'pinned',
    policy: createPolicy(),
    async send(request) {
      sent.push(request);
      const page: Served = pages[request.target.url.href] ?? { status: 404 };
      const { status = 200, body = '', location, fault } = page;
      if (fault) throw fault;
      const pieces = [new TextEncoder().encode(body)];
      return {
        status: location === undefined ? status : 302,
        headers: location === undefined ? [] : [['location', location]],
        body: { read: async () => pieces.shift(), cancel: () => undefined },
        connection: {},
        timings: () => ({}),
      };
    },
    close: async () => undefined,
  };
  return { egress, sent };
}

const sitemap = (...urls: string[]) =>
  `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls
    .map((url) => `<url><loc>${url}</loc></url>`)
    .join('')}</urlset>`;

const createSuite = (options: object, leftSealed: Uint8Array | null = null) =>
  suites.createSuite({
    ...SUITE,
    ...SIDES,
    optionsJson: JSON.stringify({ samples: 1, ...options }),
    leftSealed,
    rightSealed: null,
  });

const suiteDeps = (egress: Egress) => createSuiteDeps({ suites, compare: compareDeps(), box, egress });
const pathsOf = () => suites.getSuitePaths({ ...SUITE, after: -1, limit: 100, openOnly: false });

test('a suite job reads both sitemaps and compares the paths that both sides have', async () => {
  const sealed = await sealSide(box, { url: SIDES.leftUrl, headers: [['authorization', 'Bearer left']] });
  await createSuite({ sitemap: '/sitemap.xml', candidate: 'left' }, sealed);
  const { egress, sent } = egressOf({
    [`${SIDES.leftUrl}/sitemap.xml`]: {
      body: sitemap(`${SIDES.leftUrl}/a`, `${SIDES.leftUrl}/b`, `${SIDES.leftUrl}/old`),
    },
    [`${SIDES.rightUrl}/sitemap.xml`]: {
      body: sitemap(`${SIDES.rightUrl}/a`, `${SIDES.rightUrl}/b`, `${SIDES.rightUrl}/new`),
    },
  });
  const run = runOf(SUITE, { kind: 'suite' });
  expect(await createSuiteHandler(suiteDeps(egress))(SUITE, run)).toEqual({ suiteId: UUID });
  expect(await suites.getSuite(SUITE)).toMatchObject({ status: 'completed', paths: 2, done: 2 });
  expect((await pathsOf()).map(({ path, outcome }) => [path, outcome?.verdict])).toEqual([
    ['/a', 'pass'],
    ['/b', 'pass'],
  ]);
  const row = await suites.getSuite(SUITE);
  expect(JSON.parse(row?.findingsJson ?? '[]')).toMatchObject([{ code: 'ROUTE_SET_DRIFT' }]);
  // The credentials of a side are sent only to its own origin, for its documents and its probes.
  const credentials = sent.map(({ target, headers }) => [
    target.url.host,
    headers.some(([name]) => name === 'authorization'),
  ]);
  expect(credentials.toSorted()).toEqual([
    ['staging.example.com', true],
    ['www.example.com', false],
  ]);
  expect(probed.filter(({ url }) => url.includes('staging')).map(({ headers }) => headers)).toEqual(
    Array(2).fill([['authorization', 'Bearer left']]),
  );
  const percents = run.reported.map(({ percent }) => percent);
  expect(percents.slice(-2)).toEqual([99, 100]);
});

test.each([
  ['nothing in common', { body: sitemap(`${SIDES.rightUrl}/other`) }, 'INVALID_REQUEST'],
  ['a sitemap that is missing', { status: 404 }, 'fetch_error'],
  ['a site that does not respond', { fault: new SondeError('timeout', 'late') }, 'timeout'],
])('a suite with %s fails and reports why', async (_name, right, code) => {
  await createSuite({ sitemap: '/sitemap.xml' });
  const { egress } = egressOf({
    [`${SIDES.leftUrl}/sitemap.xml`]: { body: sitemap(`${SIDES.leftUrl}/a`) },
    [`${SIDES.rightUrl}/sitemap.xml`]: right,
  });
  const run = runOf(SUITE, { kind: 'suite', attempt: 3 });
  await expect(createSuiteHandler(suiteDeps(egress))(SUITE, run)).rejects.toThrow();
  const { status, error } = (await suites.getSuite(SUITE)) ?? {};
  expect(status).toBe('failed');
  expect(JSON.parse(error ?? '')).toMatchObject({ code });
  expect(probed).toEqual([]);
});

test('does not run a missing or ended suite', async () => {
  const { egress } = egressOf({});
  const handler = createSuiteHandler(suiteDeps(egress));
  await expect(handler(SUITE, runOf(SUITE))).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await createSuite({});
  await suites.endSuite({ ...SUITE, error: '{"code":"canceled"}' });
  await handler(SUITE, runOf(SUITE));
  expect(probed).toEqual([]);
});

/** A suite of three paths with slow probes, which are counted per host. */
async function slowSuite(options: object) {
  await createSuite(options);
  const bases = { left: SIDES.leftUrl, right: SIDES.rightUrl };
  let made = 10;
  const newUuid = () => `00000000-0000-4000-8000-0000000000${made++}`;
  await suites.planSuite(suitePlan(SUITE, { bases, paths: ['/a', '/b', '/c'], findings: [] }, newUuid));
  const running = new Map<string, number>();
  let most = 0;
  const deps = suiteDeps(egressOf({}).egress);
  const probe: typeof deps.compare.probe = async (request, facts) => {
    const { host } = new URL(request.url);
    const atHost = (running.get(host) ?? 0) + 1;
    running.set(host, atHost);
    most = Math.max(most, atHost);
    await new Promise((resolve) => setTimeout(resolve, 1));
    running.set(host, (running.get(host) ?? 0) - 1);
    return deps.compare.probe(request, facts);
  };
  return { deps: { ...deps, compare: { ...deps.compare, probe } }, most: () => most };
}

test.each([
  [{ concurrency: 1, perHost: 4 }, 1],
  [{ concurrency: 3, perHost: 4 }, 3],
  [{ concurrency: 3, perHost: 1 }, 1],
])('with %j, compares at most %i paths at once', async (options, atMost) => {
  const { deps, most } = await slowSuite(options);
  await createSuiteHandler(deps)(SUITE, runOf(SUITE));
  expect(await suites.getSuite(SUITE)).toMatchObject({ status: 'completed', done: 3 });
  expect(most()).toBeLessThanOrEqual(atMost);
  expect(probed).toHaveLength(6);
});

test('a suite that is ended during its run stops and leaves no comparison running', async () => {
  const { deps } = await slowSuite({ concurrency: 1 });
  const stop = new AbortController();
  const probe: typeof deps.compare.probe = async () => {
    await suites.endSuite({ ...SUITE, error: '{"code":"canceled"}' });
    stop.abort(new Error('called off'));
    throw new Error('called off');
  };
  const run = { ...runOf(SUITE), signal: stop.signal };
  const work = createSuiteHandler({ ...deps, compare: { ...deps.compare, probe } })(SUITE, run);
  await expect(work).rejects.toThrow('called off');
  const [first, second] = await pathsOf();
  const statusOf = async (path: typeof first) =>
    (await comparisons.getComparison({ tenantId, comparisonId: path?.comparisonId ?? '' }))?.status;
  expect([await statusOf(first), await statusOf(second)]).toEqual(['failed', undefined]);
});

test('an interrupted suite continues elsewhere', async () => {
  const { deps } = await slowSuite({ concurrency: 1 });
  const stop = new AbortController();
  const probe: typeof deps.compare.probe = async () => {
    stop.abort(new Error('lease lost'));
    throw new Error('lease lost');
  };
  const run = { ...runOf(SUITE, { attempt: 3 }), signal: stop.signal };
  const work = createSuiteHandler({ ...deps, compare: { ...deps.compare, probe } })(SUITE, run);
  await expect(work).rejects.toThrow('lease lost');
  expect(await suites.getSuite(SUITE)).toMatchObject({ status: 'running', done: 0 });
  const [first] = await pathsOf();
  const key = { tenantId, comparisonId: first?.comparisonId ?? '' };
  expect((await comparisons.getComparison(key))?.status).toBe('running');
  await createSuiteHandler(deps)(SUITE, runOf(SUITE));
  expect(await suites.getSuite(SUITE)).toMatchObject({ status: 'completed', done: 3 });
});

test('a failed path has its own outcome, and the other paths continue', async () => {
  const { deps } = await slowSuite({ concurrency: 1 });
  const probe: typeof deps.compare.probe = async (request, facts) => {
    if (request.url.endsWith('/b')) throw new Error('10.0.0.7 reset');
    return deps.compare.probe(request, facts);
  };
  await createSuiteHandler({ ...deps, compare: { ...deps.compare, probe } })(SUITE, runOf(SUITE));
  expect((await pathsOf()).map(({ outcome }) => outcome?.verdict)).toEqual(['pass', 'failed', 'pass']);
  expect((await pathsOf())[1]?.outcome).toMatchObject({ findings: 0 });
});
