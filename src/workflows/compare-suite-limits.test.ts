/** How many paths and probes of a suite are under way at once, and that none of a long list is left out. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { asyncPort, withMethods } from '../../test/support/async-port.js';
import { makeEnvelope } from '../../test/support/make-envelope.js';
import { type ComparisonStore, type SuiteStore, suitePlan } from '../compare/index.js';
import { openDatabase } from '../runtimes/node/sqlite/open-database.js';
import { sqliteComparisonStore, sqliteSuiteStore } from '../stores/sqlite/run-work.js';
import type { SideRequest } from './compare-environments.js';
import { compareSuite, type SuiteDeps } from './compare-suite.js';

const KEY = { tenantId: 'acme', suiteId: '00000000-0000-4000-8000-000000000000' };
const BASES = { left: 'https://staging.example.com', right: 'https://www.example.com' };
let uuids = 0;
const newUuid = () => `00000000-0000-4000-8000-${String(uuids++).padStart(12, '0')}`;

/** Runs a suite of so many paths; `probe` is asked for every side of every path. */
async function runSuite(
  count: number,
  options: object,
  { probe, fetchBytes }: { probe: (url: string) => Promise<void>; fetchBytes?: SuiteDeps['fetchBytes'] },
) {
  const folder = mkdtempSync(join(tmpdir(), 'sonde-suite-limits-'));
  const database = openDatabase(join(folder, 'sonde.db'));
  const clock = { clock: () => 1_000_000 };
  const stored = asyncPort<SuiteStore>(sqliteSuiteStore(database, clock));
  const readAfter: number[] = [];
  const suites = withMethods(stored, {
    getSuitePaths(page) {
      readAfter.push(page.after);
      return stored.getSuitePaths(page);
    },
  });
  const store = asyncPort<ComparisonStore>(sqliteComparisonStore(database, { ...clock, hasJobs: false }));
  const box = (request: SideRequest) => new TextEncoder().encode(JSON.stringify(request));
  const deps: SuiteDeps = {
    suites,
    compare: {
      store,
      openSide: async (bytes) => JSON.parse(new TextDecoder().decode(bytes)),
      probe: async ({ url }) => {
        await probe(url);
        return makeEnvelope(url.includes('staging') ? 'left' : 'right', { url });
      },
      clock: () => 5,
    },
    seal: async (request) => box(request),
    redactUrl: (url) => url,
    fetchBytes: fetchBytes ?? (() => Promise.reject(new Error('nothing is fetched'))),
    newUuid,
  };
  try {
    const secret = (url: string) => box({ url, headers: [['authorization', `for ${url}`]] });
    await suites.createSuite({
      ...{
        ...KEY,
        leftUrl: BASES.left,
        rightUrl: BASES.right,
        optionsJson: JSON.stringify({ samples: 1, ...options }),
      },
      ...(fetchBytes
        ? { leftSealed: secret(BASES.left), rightSealed: secret(BASES.right) }
        : { leftSealed: null, rightSealed: null }),
    });
    const paths = Array.from({ length: count }, (_, at) => `/${at}`);
    if (count > 0) await suites.planSuite(suitePlan(KEY, { bases: BASES, paths, findings: [] }, newUuid));
    const steps = { do: <T>(_name: string, _options: object, run: () => Promise<T>) => run() };
    await compareSuite(KEY, { steps, signal: new AbortController().signal, progress: () => undefined }, deps);
    return { ...(await suites.getSuite(KEY)), readAfter };
  } finally {
    database.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The most that were under way at once, by what `of` says of a URL. */
function watch(of: (url: string) => string) {
  const now = new Map<string, Set<string>>();
  let most = 0;
  return {
    most: () => most,
    async probe(url: string) {
      const same = now.get(of(url)) ?? new Set();
      now.set(of(url), same);
      same.add(url);
      most = Math.max(most, same.size);
      // Others that may start meanwhile have started after this many turns.
      for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      same.delete(url);
    },
  };
}

test.each([
  [{}, 4],
  [{ concurrency: 1 }, 1],
  [{ concurrency: 3 }, 3],
])('with %j, %i paths are compared at once', async (options, most) => {
  // A path is probed on one side at a time.
  const seen = watch(() => 'any host');
  await runSuite(12, { perHost: 12, ...options }, { probe: seen.probe });
  expect(seen.most()).toBe(most);
});

test.each([
  [{}, 4],
  [{ perHost: 1 }, 1],
  [{ perHost: 2 }, 2],
])('with %j, %i probes of a host are under way at once', async (options, most) => {
  const seen = watch((url) => new URL(url).host);
  await runSuite(20, { concurrency: 20, ...options }, { probe: seen.probe });
  expect(seen.most()).toBe(most);
});

test('a suite of more paths than a page of the store has compares them all', async () => {
  const probed = new Set<string>();
  const suite = await runSuite(
    501,
    { concurrency: 50, perHost: 50 },
    { probe: async (url) => void probed.add(url) },
  );
  expect(suite).toMatchObject({ status: 'completed', paths: 501, done: 501 });
  // No page reads the paths of an earlier one again.
  expect(suite.readAfter).toEqual([-1, 499, 500]);
  expect(probed.size).toBe(1_002);
}, 60_000);

test('the headers of a side go to its own origin, and to no other that its sitemap names', async () => {
  const sent: [string, readonly unknown[]][] = [];
  const index = (base: string) =>
    `<sitemapindex><sitemap><loc>${base}/own.xml</loc></sitemap><sitemap><loc>https://cdn.example.net/far.xml</loc></sitemap></sitemapindex>`;
  const fetchBytes: SuiteDeps['fetchBytes'] = async ({ url, headers }) => {
    sent.push([url, headers]);
    const { origin } = new URL(url);
    const xml = url.endsWith('/sitemap.xml')
      ? index(origin)
      : `<urlset><url><loc>${origin}/a</loc></url></urlset>`;
    return new TextEncoder().encode(xml);
  };
  await runSuite(0, { sitemap: '/sitemap.xml' }, { probe: async () => undefined, fetchBytes });
  const headersTo = (url: string) => sent.filter(([to]) => to === url).map(([, headers]) => headers);
  expect(headersTo(`${BASES.left}/own.xml`)).toEqual([[['authorization', `for ${BASES.left}`]]]);
  expect(headersTo(`${BASES.right}/own.xml`)).toEqual([[['authorization', `for ${BASES.right}`]]]);
  for (const headers of headersTo('https://cdn.example.net/far.xml')) expect(headers).toEqual([]);
});

test('a suite without paths and without a sitemap completes at once', async () => {
  const probe = () => Promise.reject(new Error('there is nothing to probe'));
  expect(await runSuite(0, {}, { probe })).toMatchObject({ status: 'completed', paths: 0, done: 0 });
});

test('sitemaps with the same paths on both sides make no finding', async () => {
  const fetchBytes: SuiteDeps['fetchBytes'] = async ({ url }) =>
    new TextEncoder().encode(`<urlset><url><loc>${new URL(url).origin}/a</loc></url></urlset>`);
  const suite = await runSuite(0, { sitemap: '/sitemap.xml' }, { probe: async () => undefined, fetchBytes });
  expect(suite).toMatchObject({ status: 'completed', paths: 1, findingsJson: '[]' });
});
