import { beforeEach, describe, expect, test } from 'vitest';
import { type ComparisonStore, comparisonIdOf, pairKeyOf, type SuiteStore } from '../../compare/index.js';
import { openDatabase } from '../../runtimes/node/sqlite/open-database.js';
import { COMPARISON_SCHEMA } from '../sqlite/comparison-schema.js';
import { prepareSchema } from '../sqlite/prepare-schema.js';
import { runWork } from '../sqlite/run-work.js';
import type { SqlDatabase } from '../sqlite/sql-database.js';
import { SUITE_SCHEMA } from '../sqlite/suite-schema.js';
import type { SyncPort } from '../sqlite/sync-port.js';
import { ComparisonRows } from './comparison-rows.js';
import { runPort, type SqlWork, transaction } from './sql-work.js';
import { SuiteRows } from './suite-rows.js';

/**
 * After a connection is lost at COMMIT, it is unknown whether the write succeeded, so its work runs again. `unanswered`
 * simulates that: it commits a write and then runs it again with `mayHaveCommitted`.
 */
let comparisons: SyncPort<ComparisonStore>;
let suites: SyncPort<SuiteStore>;
let isUnanswered: boolean;
let now: number;

beforeEach(() => {
  const database = openDatabase(':memory:');
  for (const schema of [COMPARISON_SCHEMA, SUITE_SCHEMA]) prepareSchema(database, schema);
  now = 1_000_000;
  isUnanswered = false;
  const run = (work: SqlWork<unknown>) => runTwiceIfUnanswered(database, work);
  comparisons = runPort(new ComparisonRows({ clock: () => now }), run) as typeof comparisons;
  suites = runPort(new SuiteRows({ clock: () => now }), run) as typeof suites;
});

function runTwiceIfUnanswered(database: SqlDatabase, work: SqlWork<unknown>): unknown {
  const { done, value } = work.next();
  if (done) return value;
  if (!('work' in value)) throw new Error('not a write');
  const run = (mayHaveCommitted: boolean) =>
    runWork(
      database,
      transaction(() => value.work(mayHaveCommitted)),
    );
  const first = run(false);
  const given = isUnanswered ? run(true) : first;
  const { value: result } = work.next(given);
  return result;
}

function unanswered<T>(write: () => T): T {
  isUnanswered = true;
  try {
    return write();
  } finally {
    isUnanswered = false;
  }
}

const SIDES = { leftUrl: 'https://a.example/', rightUrl: 'https://b.example/', optionsJson: '{}' };
const SEALED = { leftSealed: null, rightSealed: null };

describe('comparisons', () => {
  const pair = { tenantId: 'acme', pairKey: pairKeyOf({ tenantId: 'acme', ...SIDES }) };
  const newKey = () => ({
    tenantId: 'acme',
    comparisonId: comparisonIdOf(pair.pairKey, crypto.randomUUID()),
  });
  const create = (key = newKey(), explain = true) => {
    const outcome = comparisons.createComparison({ ...pair, ...key, ...SIDES, ...SEALED, explain });
    return { key, outcome };
  };

  test('a retried create reports created, not exists', () => {
    const { key, outcome } = unanswered(create);
    expect(outcome).toMatchObject({ kind: 'created', comparisonId: key.comparisonId });
    expect(create(key).outcome).toMatchObject({ kind: 'exists' });
  });

  test('ending succeeds only for the write that ended it', () => {
    const [first, second] = [create().key, create().key];
    expect(unanswered(() => comparisons.saveResult({ ...first, resultJson: '{}' }))).toBe(true);
    expect(unanswered(() => comparisons.failComparison({ ...second, error: 'x' }))).toBe(true);
    expect(comparisons.saveResult({ ...first, resultJson: '{}' })).toBe(false);
    expect(unanswered(() => comparisons.failComparison({ ...first, error: 'x' }))).toBe(false);
    expect(unanswered(() => comparisons.failComparison({ ...newKey(), error: 'x' }))).toBe(false);
  });

  test('a retried explanation and a retried removal succeed', () => {
    const { key } = create();
    comparisons.saveResult({ ...key, resultJson: '{}' });
    const explanation = { ...key, state: 'ready' as const, textJson: '{}', model: 'm', promptVersion: 1 };
    expect(unanswered(() => comparisons.saveExplanation(explanation))).toBe(true);
    expect(comparisons.saveExplanation(explanation)).toBe(false);
    expect(unanswered(() => comparisons.removeComparison(key))).toBe('removed');
    expect(comparisons.removeComparison(key)).toBe('missing');
    expect(unanswered(() => comparisons.removeComparison(create().key))).toBe('running');
  });

  test('a retried removal of a pair succeeds', () => {
    const { key } = create();
    comparisons.failComparison({ ...key, error: 'x' });
    expect(unanswered(() => comparisons.removePair(pair))).toMatchObject({ kind: 'removed' });
    expect(comparisons.removePair(pair)).toEqual({ kind: 'missing' });
  });

  test('a retried removal of an accepted finding succeeds', () => {
    const entry = { fingerprint: 'f' } as never;
    const accepted = [{ entry, comparisonId: newKey().comparisonId, acceptedAt: 1 }];
    expect(unanswered(() => comparisons.acceptFindings({ ...pair, accepted }))).toBe(true);
    expect(unanswered(() => comparisons.removeAccepted({ ...pair, fingerprint: 'f' }))).toBe(true);
    expect(comparisons.removeAccepted({ ...pair, fingerprint: 'f' })).toBe(false);
  });
});

describe('suites', () => {
  const newKey = () => ({ tenantId: 'acme', suiteId: crypto.randomUUID() });
  const create = (key = newKey()) => ({ key, outcome: suites.createSuite({ ...key, ...SIDES, ...SEALED }) });
  const PLAN = { paths: [{ path: '/', comparisonId: 'c' }], findingsJson: '[]', notesJson: '[]' };

  test('creating, planning, saving and ending succeed only for the write that did it', () => {
    const { key, outcome } = unanswered(create);
    expect(outcome).toMatchObject({ kind: 'created' });
    expect(create(key).outcome).toMatchObject({ kind: 'exists' });
    expect(unanswered(() => suites.planSuite({ ...key, ...PLAN }))).toBe(true);
    expect(suites.planSuite({ ...key, ...PLAN })).toBe(false);
    expect(unanswered(() => suites.planSuite({ ...key, ...PLAN, findingsJson: '[1]' }))).toBe(false);
    const path = { ...key, n: 0, verdict: 'warn' as const, findings: 4 };
    expect(unanswered(() => suites.savePathOutcome(path))).toBe(true);
    expect(suites.savePathOutcome(path)).toBe(false);
    for (const other of [{ verdict: 'pass' as const }, { findings: 5 }]) {
      expect(unanswered(() => suites.savePathOutcome({ ...path, ...other }))).toBe(false);
    }
    expect(unanswered(() => suites.endSuite({ ...key, error: null }))).toBe(true);
    expect(suites.endSuite({ ...key, error: null })).toBe(false);
    expect(unanswered(() => suites.endSuite({ ...key, error: 'x' }))).toBe(false);
    expect(unanswered(() => suites.endSuite({ ...newKey(), error: 'x' }))).toBe(false);
    expect(unanswered(() => suites.savePathOutcome(path))).toBe(false);
  });

  test('a retried removal succeeds, and an unfinished one continues', () => {
    const { key } = create();
    suites.planSuite({ ...key, ...PLAN });
    expect(unanswered(() => suites.removeSuite({ ...key, through: 9 }))).toBe('running');
    suites.endSuite({ ...key, error: null });
    expect(unanswered(() => suites.removeSuite({ ...key, through: -1 }))).toBe('more');
    expect(unanswered(() => suites.removeSuite({ ...key, through: 0 }))).toBe('removed');
    expect(suites.removeSuite({ ...key, through: 0 })).toBe('missing');
  });
});
