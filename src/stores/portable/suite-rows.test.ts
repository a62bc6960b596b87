/** Tests exact times and bounds, which the contract suite on real engines cannot. */
import { expect, test } from 'vitest';
import { openWatchedWork } from '../../../test/support/watched-work.js';
import { SUITE_LIMITS, type SuiteStore } from '../../compare/index.js';
import type { SyncPort } from '../sqlite/sync-port.js';
import { SuiteRows } from './suite-rows.js';

const { kept, running, pathsPerPage } = SUITE_LIMITS;
const SIDES = { leftUrl: 'https://l.example/', rightUrl: 'https://r.example/', optionsJson: '{"o":1}' };

function open() {
  const { database, names, port } = openWatchedWork();
  const clock = { ms: 1_000_000 };
  const suites = port(new SuiteRows({ clock: () => clock.ms })) as SyncPort<SuiteStore>;
  const key = (suiteId: string, tenantId = 'acme') => ({ tenantId, suiteId });
  const pathsOf = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ path: `/${n}`, comparisonId: `c${n}` }));
  return {
    ...{ database, names, clock, suites, key, pathsOf },
    create: (id: string, tenantId = 'acme') =>
      suites.createSuite({
        ...key(id, tenantId),
        ...SIDES,
        leftSealed: null,
        rightSealed: new Uint8Array([7]),
      }),
    plan: (id: string, count: number) =>
      suites.planSuite({ ...key(id), paths: pathsOf(count), findingsJson: '[1]', notesJson: '[2]' }),
    save: (id: string, n: number, findings = 0) =>
      suites.savePathOutcome({ ...key(id), n, verdict: findings > 0 ? 'fail' : 'pass', findings }),
    end: (id: string) => suites.endSuite({ ...key(id), error: null }),
    get: (id: string) => suites.getSuite(key(id)),
    paths: (id: string, fields: { after?: number; limit?: number; openOnly?: boolean } = {}) =>
      suites.getSuitePaths({ ...key(id), after: -1, limit: 9_999, openOnly: false, ...fields }),
    list: (limit = 99) => suites.listSuites({ tenantId: 'acme', limit }).map(({ suiteId }) => suiteId),
  };
}

test('a suite is stored as it was given, planned once, and counts the outcomes of its paths', () => {
  const { clock, create, plan, save, get, suites, key, names } = open();
  expect(create('a')).toEqual({ kind: 'created', status: 'running' });
  expect(names.slice(0, 2)).toEqual(['lock_suites', 'lock_suite']);
  expect(create('a')).toEqual({ kind: 'exists', status: 'running' });
  const empty = { findingsJson: null, notesJson: null, error: null, paths: 0, done: 0, verdicts: {} };
  expect(get('a')).toEqual({ ...key('a'), ...SIDES, ts: clock.ms, status: 'running', ...empty });
  expect(suites.getSuiteSealed(key('a'))).toEqual({ left: null, right: new Uint8Array([7]) });
  expect([plan('none', 1), plan('a', 4), plan('a', 4)]).toEqual([false, true, false]);
  expect([save('a', 0), save('a', 1, 3), save('a', 2), save('a', 2), save('a', 4)]).toEqual([
    ...[true, true, true, false, false],
  ]);
  expect(get('a')).toMatchObject({
    ...{ findingsJson: '[1]', notesJson: '[2]', paths: 4, done: 3, verdicts: { pass: 2, fail: 1 } },
  });
  expect([get('none'), suites.getSuiteSealed(key('none'))]).toEqual([undefined, undefined]);
});

test.each([0, 1, 99, 100, 101, 250])('a plan of %d paths keeps their order', (count) => {
  const { create, plan, paths, pathsOf, names } = open();
  create('a');
  plan('a', count);
  expect(names.filter((name) => name === 'insert_suite_paths')).toHaveLength(Math.ceil(count / 100));
  expect(paths('a')).toEqual(pathsOf(count).map((path, n) => ({ n, ...path, outcome: null })));
});

test('paths are returned in pages, all or only those without an outcome', () => {
  const { create, plan, save, paths } = open();
  create('a');
  plan('a', pathsPerPage + 1);
  save('a', 1, 5);
  const ns = (fields: Parameters<typeof paths>[1]) => paths('a', fields).map(({ n }) => n);
  expect(paths('a', { limit: 2 }).map(({ outcome }) => outcome)).toEqual([
    null,
    { verdict: 'fail', findings: 5 },
  ]);
  expect(ns({ limit: 2, openOnly: true })).toEqual([0, 2]);
  expect(ns({ after: 3, limit: 2 })).toEqual([4, 5]);
  expect([ns({ limit: 0 }), ns({ limit: -1 })]).toEqual([[], []]);
  expect(ns({})).toHaveLength(pathsPerPage);
  expect(ns({ after: pathsPerPage - 1 })).toEqual([pathsPerPage]);
});

test('a tenant has a limited number of running suites', () => {
  const { create, end } = open();
  for (let n = 0; n < running; n++) expect(create(`s${n}`).kind).toBe('created');
  expect(create('more')).toEqual({ kind: 'too_many_running', limit: running });
  expect([create('s0').kind, create('other', 'umbrella').kind]).toEqual(['exists', 'created']);
  end('s0');
  expect(create('more').kind).toBe('created');
});

test('a suite ends once, as completed or with its error', () => {
  const { create, end, get, suites, key } = open();
  for (const id of ['a', 'b']) create(id);
  expect([end('a'), end('a'), end('none')]).toEqual([true, false, false]);
  expect(suites.endSuite({ ...key('b'), error: 'x' })).toBe(true);
  expect(suites.endSuite({ ...key('b'), error: 'x' })).toBe(false);
  expect([get('a'), get('b')]).toMatchObject([
    { status: 'completed', error: null },
    { status: 'failed', error: 'x' },
  ]);
  expect(suites.getSuiteSealed(key('a'))).toBeUndefined();
});

test('the newest ended suites of a tenant are kept, with their paths', () => {
  const { clock, create, plan, end, list, database } = open();
  create('first, running');
  create('second, running');
  for (let n = 0; n < kept + 2; n++) {
    clock.ms += 1;
    create(`s${n}`);
    plan(`s${n}`, 2);
    end(`s${n}`);
  }
  const ended = Array.from({ length: kept }, (_, n) => `s${kept + 1 - n}`);
  const stored = () =>
    database.all('SELECT id FROM suites ORDER BY ts DESC', []).map((row) => String(row['id']));
  expect(new Set(stored())).toEqual(new Set([...ended, 'first, running', 'second, running']));
  expect(database.all('SELECT count(*) AS n FROM suite_paths', [])).toEqual([{ n: 2 * kept }]);
  expect(list()).toEqual(ended);
  expect([list(2), list(0), list(-1)]).toEqual([ended.slice(0, 2), [], []]);
  // The one that has just ended stays, although it is the oldest.
  end('first, running');
  expect(stored()).toContain('first, running');
  end('second, running');
  expect(stored()).toEqual([...ended, 'second, running']);
  clock.ms += 1;
  create('next');
  expect(stored()).toEqual(['next', ...ended.slice(0, -1)]);
});

test('an ended suite is removed in steps that name the last path to delete', () => {
  const { create, plan, end, suites, key, get, paths } = open();
  for (const id of ['a', 'b']) {
    create(id);
    plan(id, 3);
  }
  const remove = (id: string, through: number) => suites.removeSuite({ ...key(id), through });
  expect([remove('a', 9), remove('none', 9)]).toEqual(['running', 'missing']);
  end('a');
  expect([remove('a', 1), paths('a').map(({ n }) => n)]).toEqual(['more', [2]]);
  expect([remove('a', 2), get('a'), paths('b').length]).toEqual(['removed', undefined, 3]);
});
