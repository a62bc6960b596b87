/** Every rule fires where its fault was planted and nowhere else; a clean site scores 100. */
import { afterAll, describe, expect, it } from 'vitest';
import { type AuditReport, placesOf, RULES } from '../../src/audits/index.js';
import { createDocumentThreads } from '../../src/runtimes/node/audit/document-threads.js';
import { runAudit } from '../../src/runtimes/node/audit/run-audit.js';
import { ORIGIN } from '../support/audit-facts.js';
import { createCleanSite } from '../support/planted/clean-site.js';
import { servePlanted } from '../support/planted/planted-server.js';
import { PlantedSite } from '../support/planted/planted-site.js';
import { expectedPlaces, type Planting } from '../support/planted/planting.js';
import { PLANTINGS } from '../support/planted/plantings/index.js';

/** Shared by all audits, as on a server. */
const THREADS = createDocumentThreads(new URL('../../dist/document-worker.js', import.meta.url));
afterAll(() => THREADS.close());

const OPTIONS = { pages: 1000, concurrency: 16, delayMs: 0, ownSite: true, checks: 1000 };

/** Judges how fast the site responds, which on a busy machine is slower than planted. */
const SPEED = 'http.ttfb';
const STEADY: typeof RULES = RULES.filter(({ id }) => id !== SPEED);

async function audit(site: PlantedSite, rules = STEADY): Promise<AuditReport> {
  const server = await servePlanted(site);
  try {
    const request = {
      url: `${ORIGIN}/`,
      options: OPTIONS,
      rules,
      signal: new AbortController().signal,
      progress: () => {},
    };
    return await runAudit(server.outbound, request, { ...THREADS, close: async () => {} });
  } finally {
    await server.close();
  }
}

/** Returns where each rule fired, sorted; rules that stayed silent are left out. */
function firedPlaces({ rules }: AuditReport): Map<string, string[]> {
  const fired = rules.filter(({ status }) => status === 'fail' || status === 'warn');
  return new Map(
    fired.map(({ id, issues }) => [id, [...new Set(issues.flatMap(placesOf).map(({ url }) => url))].sort()]),
  );
}

function expectPlanted(report: AuditReport, plantings: readonly Planting[]): void {
  const broken = report.rules
    .filter(({ status }) => status === 'error')
    .map(({ id, reason }) => `${id}: ${reason}`);
  expect(broken).toEqual([]);
  const expected = expectedPlaces(plantings);
  const seen = firedPlaces(report);
  // A place known only at run time (the path that cannot exist) is identified by its rule alone.
  for (const [id, places] of expected) if (places.length === 0 && seen.has(id)) seen.set(id, []);
  expect(Object.fromEntries([...seen].sort())).toEqual(Object.fromEntries([...expected].sort()));
  const caps = plantings.flatMap(({ gate }) => (gate === undefined ? [] : [gate]));
  if (caps.length > 0) expect(report.score).toBeLessThanOrEqual(Math.min(...caps));
}

describe('planted sites', () => {
  it('scores a clean site 100, with every rule passing or not applicable', async () => {
    const report = await audit(new PlantedSite(40));
    expectPlanted(report, []);
    const others = report.rules.filter(({ status }) => status !== 'pass' && status !== 'not-applicable');
    expect(others.map(({ id, status, reason }) => `${id} ${status} ${reason}`)).toEqual([]);
    expect(report).toMatchObject({ score: 100, grade: 'A', gates: [] });
  });

  it('finds no error, no warning and no hint in a realistic site of 100 pages', async () => {
    const report = await audit(createCleanSite());
    expectPlanted(report, []);
    expect(report.counts.pages).toBe(101);
    expect(report.score).toBeGreaterThanOrEqual(95);
  }, 120_000);

  it('finds all faults that can coexist in a site of 300 pages, and nothing else', async () => {
    const shared = PLANTINGS.filter(({ where, rule }) => where === 'shared' && rule !== SPEED);
    const site = new PlantedSite(300);
    for (const { plant } of shared) plant(site);
    expect(shared.length).toBeGreaterThanOrEqual(60);
    const report = await audit(site);
    expectPlanted(report, shared);
    // One bad page in 300 caps nothing, but this many faults cost most of the score.
    expect(report.gates).toEqual([]);
    expect(report.score).toBeLessThanOrEqual(55);
  }, 120_000);

  it('finds the page that is slow to respond', async () => {
    const slow = PLANTINGS.filter(({ rule }) => rule === SPEED);
    const site = new PlantedSite(8);
    for (const { plant } of slow) plant(site);
    const places = expectedPlaces(slow).get(SPEED);
    expect(places).toHaveLength(1);
    expect(firedPlaces(await audit(site, RULES)).get(SPEED)).toEqual(expect.arrayContaining(places ?? []));
  });

  it.concurrent.each(PLANTINGS.filter(({ where }) => where === 'own'))(
    'finds $rule: $fault',
    async (planting) => {
      const site = new PlantedSite(8);
      planting.plant(site);
      expectPlanted(await audit(site), [planting]);
    },
  );
});
