import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { asyncPort } from '../../test/support/async-port.js';
import { makeEnvelope } from '../../test/support/make-envelope.js';
import { type ComparisonStore, type SuiteStore, suitePlan } from '../compare/index.js';
import { SondeError } from '../errors.js';
import { openDatabase } from '../runtimes/node/sqlite/open-database.js';
import { sqliteComparisonStore, sqliteSuiteStore } from '../stores/sqlite/run-work.js';
import type { CompareContext, SideRequest } from './compare-environments.js';
import { compareSuite, type SuiteDeps } from './compare-suite.js';

const KEY = { tenantId: 'acme', suiteId: '00000000-0000-4000-8000-000000000000' };
const BASES = { left: 'https://staging.example.com', right: 'https://www.example.com' };
const PATHS = ['/a', '/b'];
/** Killing at each of some eighty actions would need as many databases, each synced to disk. */
const DEEDS_BETWEEN_KILLS = 5;
const ALL = { after: -1, limit: 100, openOnly: false } as const;

/** A process that dies at its nth write and does nothing afterwards; earlier writes stay. */
function mortal<T extends object>(port: T, live: () => void): T {
  return new Proxy(port, {
    get(target, name) {
      const method = Reflect.get(target, name) as (...args: unknown[]) => Promise<unknown>;
      return async (...args: unknown[]) => {
        live();
        const result = await method.apply(target, args);
        live();
        return result;
      };
    },
  });
}

async function withStores(
  act: (stores: { suites: SuiteStore; comparisons: ComparisonStore }) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sonde-suite-'));
  const database = openDatabase(join(folder, 'sonde.db'));
  const options = { clock: () => 1_000_000 };
  try {
    await act({
      suites: asyncPort<SuiteStore>(sqliteSuiteStore(database, options)),
      comparisons: asyncPort<ComparisonStore>(
        sqliteComparisonStore(database, { ...options, hasJobs: false }),
      ),
    });
  } finally {
    database.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

let uuids = 0;
const newUuid = () => `00000000-0000-4000-8000-${String(uuids++).padStart(12, '0')}`;

function partsOf(suites: SuiteStore, comparisons: ComparisonStore): SuiteDeps {
  return {
    suites,
    compare: {
      store: comparisons,
      openSide: () => Promise.reject(new Error('nothing was sealed')),
      probe: async ({ url }) => makeEnvelope(url.includes('staging') ? 'left' : 'right', { url }),
      clock: () => 5,
    },
    seal: () => Promise.reject(new Error('there is nothing to seal')),
    redactUrl: (url) => url,
    fetchBytes: () => Promise.reject(new Error('nothing is fetched')),
    newUuid,
  };
}

const context = (more: Partial<CompareContext> = {}): CompareContext => ({
  steps: { do: <T>(_name: string, _options: object, run: () => Promise<T>) => run() },
  signal: new AbortController().signal,
  progress: () => undefined,
  ...more,
});

async function made(suites: SuiteStore, optionsJson = '{"samples":1,"concurrency":2}'): Promise<void> {
  await suites.createSuite({
    ...KEY,
    leftUrl: BASES.left,
    rightUrl: BASES.right,
    optionsJson,
    leftSealed: null,
    rightSealed: null,
  });
  await suites.planSuite(suitePlan(KEY, { bases: BASES, paths: PATHS, findings: [] }, newUuid));
}

test('every path ends with one outcome, one result and two probes if killed at every fifth action and resumed', {
  timeout: 120_000,
}, async () => {
  for (let at = 0, died = true; died; at += DEEDS_BETWEEN_KILLS) {
    await withStores(async ({ suites, comparisons }) => {
      await made(suites);
      let deeds = 0;
      const live = () => {
        if (++deeds > at) throw new Error('killed');
      };
      const first = compareSuite(KEY, context(), partsOf(mortal(suites, live), mortal(comparisons, live)));
      died = await first.then(
        () => false,
        () => true,
      );
      await compareSuite(KEY, context(), partsOf(suites, comparisons));
      expect(await suites.getSuite(KEY)).toMatchObject({ status: 'completed', paths: 2, done: 2 });
      for (const { comparisonId, outcome } of await suites.getSuitePaths({ ...KEY, ...ALL })) {
        const key = { tenantId: KEY.tenantId, comparisonId };
        expect(outcome).toMatchObject({ verdict: 'pass' });
        expect(await comparisons.getComparison(key)).toMatchObject({
          status: 'completed',
          explanation: { state: 'off' },
        });
        expect(await comparisons.getProbes(key)).toHaveLength(2);
      }
    });
  }
});

test('leaves an ended suite alone', async () => {
  await withStores(async ({ suites, comparisons }) => {
    await made(suites);
    await suites.endSuite({ ...KEY, error: '{"code":"canceled"}' });
    await compareSuite(KEY, context(), partsOf(suites, comparisons));
    expect(await suites.getSuite(KEY)).toMatchObject({ status: 'failed', done: 0 });
  });
});

test('seals a URL with a secret for its path even without headers, and probes the real URL', async () => {
  await withStores(async ({ suites, comparisons }) => {
    const bases = { left: `${BASES.left}/s3cret`, right: BASES.right };
    await suites.createSuite({
      ...KEY,
      leftUrl: `${BASES.left}/[REDACTED]`,
      rightUrl: BASES.right,
      optionsJson: '{"samples":1}',
      leftSealed: sealed({ url: bases.left, headers: [] }),
      rightSealed: null,
    });
    await suites.planSuite(suitePlan(KEY, { bases, paths: ['/a'], findings: [] }, newUuid));
    const asked: string[] = [];
    const deps = partsOf(suites, comparisons);
    await compareSuite(KEY, context(), {
      ...deps,
      compare: {
        ...deps.compare,
        openSide: async (bytes) => JSON.parse(new TextDecoder().decode(bytes)) as SideRequest,
        probe: async (request, facts) => {
          asked.push(request.url);
          return deps.compare.probe(request, facts);
        },
      },
      seal: async (request) => sealed(request),
      redactUrl: (url) => url.replace('s3cret', '[REDACTED]'),
    });
    expect(asked.toSorted()).toEqual([`${BASES.left}/s3cret/a`, `${BASES.right}/a`]);
    const [path] = await suites.getSuitePaths({ ...KEY, ...ALL });
    expect(path?.outcome).toMatchObject({ verdict: 'pass' });
    const row = await comparisons.getComparison({
      tenantId: KEY.tenantId,
      comparisonId: path?.comparisonId ?? '',
    });
    expect(row?.leftUrl).toBe(`${BASES.left}/[REDACTED]/a`);
  });
});

/** Replaces the server's cipher, which is not under test here. */
const sealed = (request: SideRequest) => new TextEncoder().encode(JSON.stringify(request));

test('progress is the share of ended paths and reaches 100 only at the end', async () => {
  await withStores(async ({ suites, comparisons }) => {
    await suites.createSuite({
      ...KEY,
      ...{ leftUrl: BASES.left, rightUrl: BASES.right, leftSealed: null, rightSealed: null },
      optionsJson: '{"samples":1,"concurrency":1}',
    });
    const paths = ['/a', '/b', '/c'];
    await suites.planSuite(suitePlan(KEY, { bases: BASES, paths, findings: [] }, newUuid));
    const reported: unknown[] = [];
    const progress: CompareContext['progress'] = (event) => void reported.push(event);
    await compareSuite(KEY, context({ progress }), partsOf(suites, comparisons));
    expect(reported).toEqual([
      { percent: 33, message: '1 of 3: /a pass' },
      { percent: 66, message: '2 of 3: /b pass' },
      { percent: 99, message: '3 of 3: /c pass' },
      { percent: 100, message: 'done' },
    ]);
  });
});

const SITEMAP_SUITE = {
  ...KEY,
  ...{ leftUrl: BASES.left, rightUrl: BASES.right, leftSealed: null, rightSealed: null },
};
const urlset = (base: string, paths: readonly string[]) =>
  new TextEncoder().encode(
    `<urlset>${paths.map((path) => `<url><loc>${base}${path}</loc></url>`).join('')}</urlset>`,
  );

test('reads sitemaps once: a resumed suite keeps its paths, and a path the candidate lacks is a regression', async () => {
  await withStores(async ({ suites, comparisons }) => {
    // On the same host, so that the labels are not host names.
    const bases = { left: `${BASES.right}/v1`, right: `${BASES.right}/v2` };
    await suites.createSuite({
      ...{ ...SITEMAP_SUITE, leftUrl: bases.left, rightUrl: bases.right },
      optionsJson: '{"samples":1,"sitemap":"/sitemap.xml","candidate":"right"}',
    });
    const fetched: string[] = [];
    const bounds: unknown[] = [];
    const deps: SuiteDeps = {
      ...partsOf(suites, comparisons),
      async fetchBytes({ url }) {
        fetched.push(url);
        const isLeft = url.startsWith(bases.left);
        return urlset(isLeft ? bases.left : bases.right, isLeft ? ['/a', '/b'] : ['/a']);
      },
    };
    const steps: CompareContext['steps'] = {
      async do(name, options, run) {
        bounds.push([name, options]);
        const result = await run();
        if (fetched.length === 2 && bounds.length === 1) throw new Error('killed');
        return result;
      },
    };
    await expect(compareSuite(KEY, context({ steps }), deps)).rejects.toThrow('killed');
    await compareSuite(KEY, context({ steps }), deps);
    expect(fetched.toSorted()).toEqual([`${bases.left}/sitemap.xml`, `${bases.right}/sitemap.xml`]);
    expect(bounds).toEqual(
      Array(2).fill([
        'planSuite',
        { retries: { limit: 2, delayMs: 1_000, backoff: 'exponential' }, timeoutMs: 300_000 },
      ]),
    );
    const { status, paths, findingsJson } = (await suites.getSuite(KEY)) ?? {};
    expect([status, paths]).toEqual(['completed', 1]);
    expect(JSON.parse(findingsJson ?? '')).toMatchObject([
      { direction: 'right_weaker', effect: 'regression', message: '/b is missing on candidate' },
    ]);
  });
});

test.each([
  ['an attempt that may be followed by another', {}, new Error('10.0.0.7 reset'), null],
  [
    'the last attempt, without internal details',
    { lastAttempt: true },
    new Error('10.0.0.7 reset'),
    { code: 'INTERNAL', message: 'the suite could not be finished' },
  ],
  [
    'a permanent failure, with its reason',
    {},
    new SondeError('INVALID_REQUEST', 'sitemap: not an XML document'),
    { code: 'INVALID_REQUEST', message: 'sitemap: not an XML document' },
  ],
  ['a transient failure', {}, new SondeError('timeout', 'no response'), null],
  ['an interrupted run', { lastAttempt: true, signal: AbortSignal.abort() }, new Error('x'), null],
])('a suite that fails is ended or left running: %s', async (_name, more, thrown, error) => {
  await withStores(async ({ suites, comparisons }) => {
    await suites.createSuite({ ...SITEMAP_SUITE, optionsJson: '{"samples":1,"sitemap":"/sitemap.xml"}' });
    const deps = { ...partsOf(suites, comparisons), fetchBytes: () => Promise.reject(thrown) };
    await expect(compareSuite(KEY, context(more), deps)).rejects.toBe(thrown);
    const suite = await suites.getSuite(KEY);
    expect(suite?.status).toBe(error ? 'failed' : 'running');
    expect(JSON.parse(suite?.error ?? 'null')).toEqual(error);
  });
});

test('a path that cannot be compared has failed, and the others are compared', async () => {
  await withStores(async ({ suites, comparisons }) => {
    await made(suites);
    const deps = partsOf(suites, comparisons);
    const probe: SuiteDeps['compare']['probe'] = (request, facts) =>
      request.url.endsWith('/a')
        ? Promise.reject(new Error('out of memory'))
        : deps.compare.probe(request, facts);
    await compareSuite(KEY, context(), { ...deps, compare: { ...deps.compare, probe } });
    const paths = await suites.getSuitePaths({ ...KEY, ...ALL });
    expect(paths.map(({ outcome }) => outcome?.verdict)).toEqual(['failed', 'pass']);
    const failed = { tenantId: KEY.tenantId, comparisonId: paths[0]?.comparisonId ?? '' };
    expect(await comparisons.getComparison(failed)).toMatchObject({ status: 'failed' });
  });
});

test('compares no further path after an abort between two', async () => {
  await withStores(async ({ suites, comparisons }) => {
    await made(suites, '{"samples":1,"concurrency":1}');
    const stop = new AbortController();
    const progress = () => stop.abort(new Error('lease lost'));
    const run = compareSuite(KEY, context({ signal: stop.signal, progress }), partsOf(suites, comparisons));
    await expect(run).rejects.toThrow('lease lost');
    const paths = await suites.getSuitePaths({ ...KEY, ...ALL });
    const rows = paths.map(({ comparisonId }) =>
      comparisons.getComparison({ tenantId: KEY.tenantId, comparisonId }),
    );
    expect((await Promise.all(rows)).map((row) => row?.status)).toEqual(['completed', undefined]);
  });
});

test('a suite that is ended before its first path or during one is canceled', async () => {
  await withStores(async ({ suites, comparisons }) => {
    await made(suites);
    const probed: string[] = [];
    const deps = partsOf(suites, comparisons);
    const end = () => suites.endSuite({ ...KEY, error: '{"code":"canceled"}' });
    const probe: SuiteDeps['compare']['probe'] = async (request, facts) => {
      probed.push(request.url);
      return deps.compare.probe(request, facts);
    };
    const steps: CompareContext['steps'] = {
      async do(_name, _options, run) {
        await end();
        return run();
      },
    };
    const before = compareSuite(KEY, context({ steps }), { ...deps, compare: { ...deps.compare, probe } });
    await expect(before).rejects.toMatchObject({ code: 'canceled' });
    expect(probed).toEqual([]);
  });
  await withStores(async ({ suites, comparisons }) => {
    await made(suites);
    const deps = partsOf(suites, comparisons);
    const probe: SuiteDeps['compare']['probe'] = async (request, facts) => {
      await suites.endSuite({ ...KEY, error: '{"code":"canceled"}' });
      return deps.compare.probe(request, facts);
    };
    const during = compareSuite(KEY, context(), { ...deps, compare: { ...deps.compare, probe } });
    await expect(during).rejects.toMatchObject({ code: 'canceled' });
    expect(await suites.getSuite(KEY)).toMatchObject({ status: 'failed', done: 0 });
  });
});
