/** Tests exact times and bounds, which the contract suite on real engines cannot. */
import { expect, test } from 'vitest';
import { openWatchedWork } from '../../../test/support/watched-work.js';
import {
  type BaselineEntry,
  COMPARISON_LIMITS,
  type ComparisonStore,
  type ComparisonStoreOptions,
  type NewComparison,
} from '../../compare/index.js';
import type { SyncPort } from '../sqlite/sync-port.js';
import { ComparisonRows } from './comparison-rows.js';

const PAIR = { tenantId: 'acme', pairKey: 'p' };

function open(options: Partial<ComparisonStoreOptions> = {}) {
  const { database, names, port } = openWatchedWork();
  const clock = { ms: 1_000_000 };
  const rows = new ComparisonRows({ clock: () => clock.ms, ...options });
  const store = port(rows) as SyncPort<ComparisonStore>;
  const key = (name: string, tenantId = 'acme') => ({ tenantId, comparisonId: `p:${name}` });
  const create = (name: string, { pairKey = 'p', ...fields }: Partial<NewComparison> = {}) =>
    store.createComparison({
      ...{
        tenantId: 'acme',
        pairKey,
        comparisonId: `${pairKey}:${name}`,
        leftUrl: 'https://l.example/',
        rightUrl: 'https://r.example/',
      },
      ...{ optionsJson: '{"o":1}', explain: false, leftSealed: null, rightSealed: null, ...fields },
    });
  return {
    ...{ database, names, clock, store, key, create },
    end: (id: string) => store.saveResult({ ...key(id), resultJson: '{}' }),
    get: (id: string) => store.getComparison(key(id)),
    history: (limit = 99, completedOnly = false) =>
      store
        .getComparisonsForHistory({ ...PAIR, limit, completedOnly })
        .map((row) => row.comparisonId.slice(2)),
    probe: (id: string, sample = 1, side: 'left' | 'right' = 'left') => {
      const input = { url: `https://${side}.example/`, envelopeJson: `${side}${sample}` };
      return store.saveProbe({ ...key(id), ...input, side, sample });
    },
  };
}

test('a comparison is stored as it was given', () => {
  const { clock, create, store, key, get } = open();
  const sealed = { leftSealed: new Uint8Array([1]), rightSealed: null };
  expect(create('a', sealed)).toEqual({ kind: 'created', comparisonId: 'p:a', status: 'running' });
  expect(get('a')).toEqual({
    ...{ ...key('a'), pairKey: 'p', ts: clock.ms, status: 'running', resultJson: null, error: null },
    ...{ leftUrl: 'https://l.example/', rightUrl: 'https://r.example/', optionsJson: '{"o":1}' },
    explanation: { state: 'off', textJson: null, model: null, promptVersion: null },
  });
  expect(store.getSealed(key('a'))).toEqual({ left: new Uint8Array([1]), right: null });
  expect(create('a')).toEqual({ kind: 'exists', comparisonId: 'p:a', status: 'running' });
  create('explained', { explain: true });
  expect(get('explained')?.explanation.state).toBe('pending');
  expect([get('none'), store.getSealed(key('none'))]).toEqual([undefined, undefined]);
});

test('a row without an explanation, from before there were any, has none', () => {
  const { database, create, get } = open();
  create('a');
  database.run('DELETE FROM explanations', []);
  expect(get('a')?.explanation.state).toBe('off');
});

test('creating, accepting and removing lock the pair, and every write its comparison', () => {
  const { names, create, store, key, end } = open();
  create('a');
  expect(names.slice(0, 2)).toEqual(['lock_pair', 'lock_comparison']);
  store.acceptFindings({ ...PAIR, accepted: [] });
  expect(names[0]).toBe('lock_pair');
  end('a');
  expect(names[0]).toBe('lock_comparison');
  store.removeComparison(key('a'));
  expect(names[0]).toBe('lock_comparison');
  store.removePair(PAIR);
  expect(names[0]).toBe('lock_pair');
});

test.each([
  [{}, COMPARISON_LIMITS.running],
  [{ running: 2 }, 2],
])('as many comparisons of a pair run at once as the limit allows: %j', (options, limit) => {
  const { create, end } = open(options);
  for (let n = 0; n < limit; n++) expect(create(`c${n}`).kind).toBe('created');
  expect(create('more')).toEqual({ kind: 'too_many_running', limit });
  expect(create('c0').kind).toBe('exists');
  expect(create('other pair', { pairKey: 'q' }).kind).toBe('created');
  expect(create('of another tenant', { tenantId: 'umbrella' }).kind).toBe('created');
  end('c0');
  expect(create('more').kind).toBe('created');
});

test('a probe and its samples belong to one side, and only a running comparison has new ones', () => {
  const { clock, create, probe, store, key, end } = open();
  create('a');
  create('b');
  expect([probe('none'), probe('a', 1, 'right'), probe('b')]).toEqual([false, true, true]);
  expect([probe('a'), probe('a', 3), probe('a', 2)]).toEqual([true, true, true]);
  const side = (name: 'left' | 'right', samples: readonly object[]) => ({
    ...{ probeId: `p:a:${name}`, side: name, ts: clock.ms, url: `https://${name}.example/` },
    ...{ envelopeJson: `${name}1`, samples },
  });
  expect(store.getProbes(key('a'))).toEqual([
    side('left', [
      { sample: 2, envelopeJson: 'left2' },
      { sample: 3, envelopeJson: 'left3' },
    ]),
    side('right', []),
  ]);
  end('a');
  expect([probe('a', 1, 'right'), probe('a', 4)]).toEqual([false, false]);
  expect(store.getProbes(key('a'))).toHaveLength(2);
});

test('an explanation is saved once, for a completed comparison', () => {
  const { create, end, store, key, get } = open();
  for (const id of ['running', 'failed', 'off']) create(id, { explain: id !== 'off' });
  store.failComparison({ ...key('failed'), error: 'x' });
  end('off');
  const explain = (id: string) => {
    const text = { textJson: '"t"', model: 'm', promptVersion: 3 };
    return store.saveExplanation({ ...key(id), state: 'ready', ...text });
  };
  expect(['running', 'failed', 'off', 'none'].map(explain)).toEqual([false, false, false, false]);
  expect(get('failed')?.explanation.state).toBe('off');
  end('running');
  expect([explain('running'), explain('running')]).toEqual([true, false]);
  expect(get('running')?.explanation).toEqual({
    ...{ state: 'ready', textJson: '"t"', model: 'm', promptVersion: 3 },
  });
});

test('ending keeps a pending explanation if the comparison is completed', () => {
  const { create, end, get } = open();
  create('a', { explain: true });
  expect([end('a'), end('a'), end('none')]).toEqual([true, false, false]);
  expect(get('a')).toMatchObject({
    status: 'completed',
    resultJson: '{}',
    explanation: { state: 'pending' },
  });
});

test('a history is newest first and has between none and the maximum', () => {
  const { clock, create, end, store, key, history } = open({ running: 999, kept: 999 });
  const { historyMax } = COMPARISON_LIMITS;
  for (let n = 0; n <= historyMax; n++) {
    create(`c${String(n).padStart(3, '0')}`);
    clock.ms += 1;
  }
  end('c099');
  store.failComparison({ ...key('c100'), error: 'x' });
  expect(history(2.9)).toEqual(['c100', 'c099']);
  expect([history(0), history(-1), history(0.9)]).toEqual([[], [], []]);
  expect(history(9_999)).toHaveLength(historyMax);
  expect(history(9, true)).toEqual(['c099']);
  expect(store.listPairs({ tenantId: 'acme', limit: 9 })).toEqual([
    {
      ...{ pairKey: 'p', leftUrl: 'https://l.example/', rightUrl: 'https://r.example/' },
      ...{
        comparisons: historyMax + 1,
        lastTs: clock.ms - 1,
        lastComparisonId: 'p:c100',
        lastStatus: 'failed',
      },
    },
  ]);
  expect([0, -1].map((limit) => store.listPairs({ tenantId: 'acme', limit }))).toEqual([[], []]);
});

test.each([
  [{}, COMPARISON_LIMITS.kept],
  [{ kept: 2 }, 2],
])('the newest ended comparisons of a pair are kept: %j', (options, kept) => {
  const { clock, create, end, probe, history, database } = open(options);
  create('first, running');
  create('second, running');
  for (let n = 0; n < kept + 2; n++) {
    clock.ms += 1;
    create(`c${n}`);
    probe(`c${n}`);
    probe(`c${n}`, 2);
    end(`c${n}`);
  }
  const ended = Array.from({ length: kept }, (_, n) => `c${kept + 1 - n}`);
  expect(new Set(history())).toEqual(new Set([...ended, 'first, running', 'second, running']));
  for (const table of ['probes', 'probe_samples']) {
    expect(database.all(`SELECT count(*) AS n FROM ${table}`, [])).toEqual([{ n: kept }]);
  }
  expect(database.all('SELECT count(*) AS n FROM explanations', [])).toEqual([{ n: kept + 2 }]);
  // The one that has just ended stays, although it is the oldest.
  end('first, running');
  expect(history()).toContain('first, running');
  end('second, running');
  expect(history()).toEqual([...ended, 'second, running']);
  clock.ms += 1;
  create('next');
  expect(history()).toEqual(['next', ...ended.slice(0, -1)]);
});

test('only an ended comparison can be removed', () => {
  const { create, end, store, key, get } = open();
  for (const id of ['a', 'b']) create(id);
  expect([store.removeComparison(key('a')), store.removeComparison(key('none'))]).toEqual([
    'running',
    'missing',
  ]);
  end('a');
  expect([store.removeComparison(key('a')), get('a'), get('b')?.status]).toEqual([
    'removed',
    undefined,
    'running',
  ]);
});

const entry = (fingerprint: string) => ({ fingerprint }) as BaselineEntry;
const accepted = (from: number, count: number) =>
  Array.from({ length: count }, (_, n) => ({
    ...{ entry: entry(`f${from + n}`), comparisonId: 'c', acceptedAt: 5 },
  }));

test('a baseline has a limited number of findings, each once', () => {
  const { store } = open();
  const { accepted: max } = COMPARISON_LIMITS;
  const accept = (from: number, count: number) =>
    store.acceptFindings({ ...PAIR, accepted: accepted(from, count) });
  expect([accept(0, max + 1), store.getAccepted(PAIR).length]).toEqual([false, 0]);
  expect([accept(0, max), accept(1, max - 1), accept(max, 1)]).toEqual([true, true, false]);
  const remove = (fingerprint: string) => store.removeAccepted({ ...PAIR, fingerprint });
  expect([remove('f0'), remove('f0'), accept(max, 1)]).toEqual([true, false, true]);
  expect(store.getAccepted(PAIR)).toHaveLength(max);
});

test('a pair is removed a few comparisons at a time, and then its baseline', () => {
  const { create, end, store } = open({ running: 99 });
  const ids = Array.from({ length: COMPARISON_LIMITS.removedAtOnce + 1 }, (_, n) => `c${n}`);
  for (const id of ids) create(id);
  create('other', { pairKey: 'q' });
  expect(store.removePair(PAIR)).toMatchObject({ kind: 'running' });
  for (const id of ids) end(id);
  store.acceptFindings({ ...PAIR, accepted: accepted(0, 1) });
  const first = store.removePair(PAIR);
  expect(first).toMatchObject({ kind: 'more' });
  expect('comparisonIds' in first && first.comparisonIds).toHaveLength(COMPARISON_LIMITS.removedAtOnce);
  expect(store.getAccepted(PAIR)).toHaveLength(1);
  const last = store.removePair(PAIR);
  expect(last).toMatchObject({ kind: 'removed' });
  expect('comparisonIds' in last && last.comparisonIds).toHaveLength(1);
  expect(store.getAccepted(PAIR)).toEqual([]);
  expect(store.removePair(PAIR)).toEqual({ kind: 'missing' });
  expect(store.listPairs({ tenantId: 'acme', limit: 9 })).toMatchObject([{ pairKey: 'q' }]);
});

test('a pair with one comparison and one with only a baseline can be removed', () => {
  const { create, end, store } = open();
  create('a');
  end('a');
  expect(store.removePair(PAIR)).toEqual({ kind: 'removed', comparisonIds: ['p:a'] });
  store.acceptFindings({ ...PAIR, accepted: accepted(0, 1) });
  expect(store.removePair(PAIR)).toEqual({ kind: 'removed', comparisonIds: [] });
});
