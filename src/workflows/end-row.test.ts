/** Ending a job without its run also ends the comparisons that it worked on in other objects. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { asyncPort } from '../../test/support/async-port.js';
import { makeEnvelope } from '../../test/support/make-envelope.js';
import {
  type ComparisonStore,
  comparisonIdOf,
  computeDiff,
  pairKeyOf,
  RUN_CANCELED,
  RUN_INTERRUPTED,
  type SuiteStore,
  suitePlan,
} from '../compare/index.js';
import { type OpenDatabase, openDatabase } from '../runtimes/node/sqlite/open-database.js';
import { sqliteComparisonStore, sqliteSuiteStore } from '../stores/sqlite/run-work.js';
import { endRow } from './end-row.js';

const SIDES = { leftUrl: 'https://staging.example.com/', rightUrl: 'https://www.example.com/' };
const UUID = '00000000-0000-4000-8000-000000000001';
const tenantId = 'acme';
const pairKey = pairKeyOf({ tenantId, ...SIDES });
const COMPARISON = { tenantId, comparisonId: comparisonIdOf(pairKey, UUID) };
const SUITE = { tenantId, suiteId: UUID };
const NOTHING_SEALED = { leftSealed: null, rightSealed: null };

let folder: string;
let database: OpenDatabase;
let comparisons: ComparisonStore;
let suites: SuiteStore;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sonde-end-row-'));
  database = openDatabase(join(folder, 'sonde.db'));
  comparisons = asyncPort<ComparisonStore>(sqliteComparisonStore(database, { clock: () => 1000 }));
  suites = asyncPort<SuiteStore>(sqliteSuiteStore(database, { clock: () => 1000 }));
});

afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

const rows = () => ({ comparisons, suites });
const create = (explain: boolean, key = COMPARISON) =>
  comparisons.createComparison({ ...key, pairKey, ...SIDES, optionsJson: '{}', explain, ...NOTHING_SEALED });
const compareJob = { kind: 'compare' as const, tenantId, payload: COMPARISON };

describe('a comparison', () => {
  test('fails with the reason if it is running', async () => {
    await create(false);
    await endRow(compareJob, rows(), RUN_INTERRUPTED);
    expect(await comparisons.getComparison(COMPARISON)).toMatchObject({
      status: 'failed',
      error: RUN_INTERRUPTED,
    });
  });

  const diff = computeDiff([makeEnvelope('left')], [makeEnvelope('right')]);
  const saveResult = () =>
    comparisons.saveResult({ ...COMPARISON, resultJson: JSON.stringify({ diff, timestamp: 1 }) });

  test('keeps its result, and its pending explanation is ended', async () => {
    await create(true);
    await saveResult();
    await endRow(compareJob, rows(), RUN_CANCELED);
    const row = await comparisons.getComparison(COMPARISON);
    expect(row).toMatchObject({
      status: 'completed',
      error: null,
      explanation: { state: 'failed', model: null },
    });
    // The API adds the deterministic text.
    expect(row?.explanation.textJson).toBe(`{"error":${RUN_CANCELED}}`);
  });

  test('is unchanged if it has ended with everything requested', async () => {
    await create(false);
    await saveResult();
    const before = await comparisons.getComparison(COMPARISON);
    await endRow(compareJob, rows(), RUN_CANCELED);
    expect(await comparisons.getComparison(COMPARISON)).toEqual(before);
    const text = { state: 'ready' as const, textJson: '{"summary":"x"}', model: 'm', promptVersion: 1 };
    const explained = { tenantId, comparisonId: comparisonIdOf(pairKey, UUID.replace(/1$/, '2')) };
    await create(true, explained);
    await comparisons.saveResult({ ...explained, resultJson: JSON.stringify({ diff, timestamp: 1 }) });
    await comparisons.saveExplanation({ ...explained, ...text });
    await endRow({ ...compareJob, payload: explained }, rows(), RUN_CANCELED);
    expect((await comparisons.getComparison(explained))?.explanation).toMatchObject(text);
  });

  test('is unchanged if it has failed without a result to explain', async () => {
    await create(true);
    await endRow(compareJob, rows(), RUN_INTERRUPTED);
    const before = await comparisons.getComparison(COMPARISON);
    expect(before).toMatchObject({ status: 'failed', resultJson: null });
    await endRow(compareJob, rows(), RUN_CANCELED);
    expect(await comparisons.getComparison(COMPARISON)).toEqual(before);
  });

  test('is unchanged if it belongs to another tenant', async () => {
    await create(false);
    await endRow({ ...compareJob, tenantId: 'globex' }, rows(), RUN_CANCELED);
    expect(await comparisons.getComparison(COMPARISON)).toMatchObject({ status: 'running' });
  });
});

test('the running comparisons of a suite end', async () => {
  await suites.createSuite({ ...SUITE, ...SIDES, optionsJson: '{}', ...NOTHING_SEALED });
  const bases = { left: SIDES.leftUrl, right: SIDES.rightUrl };
  let made = 10;
  const newUuid = () => UUID.replace(/1$/, '').slice(0, -1) + String(made++);
  await suites.planSuite(suitePlan(SUITE, { bases, paths: ['/a', '/b'], findings: [] }, newUuid));
  const paths = await suites.getSuitePaths({ ...SUITE, after: -1, limit: 9, openOnly: false });
  const keys = paths.map(({ comparisonId }) => ({ tenantId, comparisonId }));
  for (const key of keys) await create(false, key);
  await suites.savePathOutcome({ ...SUITE, n: 0, verdict: 'pass', findings: 0 });
  await endRow({ kind: 'suite', tenantId, payload: SUITE }, rows(), RUN_CANCELED);
  // The first path already has its outcome.
  const statuses = await Promise.all(keys.map(async (key) => (await comparisons.getComparison(key))?.status));
  expect(statuses).toEqual(['running', 'failed']);
});

test('a job of another kind has no row', async () => {
  await create(false);
  await endRow({ kind: 'hello', tenantId, payload: COMPARISON }, rows(), RUN_CANCELED);
  expect(await comparisons.getComparison(COMPARISON)).toMatchObject({ status: 'running' });
});
