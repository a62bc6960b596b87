import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { asyncPort } from '../../test/support/async-port.js';
import { makeEnvelope } from '../../test/support/make-envelope.js';
import { Mortal } from '../../test/support/mortal.js';
import {
  type ComparisonStore,
  comparisonIdOf,
  computeDiff,
  type EnvDiff,
  pairKeyOf,
  type SealedSides,
  sampleOrder,
  seededRandom,
} from '../compare/index.js';
import { SondeError } from '../errors.js';
import type { Explainer } from '../explain/index.js';
import type { Progress, Steps } from '../jobs/index.js';
import { type OpenDatabase, openDatabase } from '../runtimes/node/sqlite/open-database.js';
import { sqliteComparisonStore } from '../stores/sqlite/run-work.js';
import {
  type CompareContext,
  type CompareDeps,
  type CompareInput,
  type CompareRunOptions,
  compareEnvironments,
  type SideRequest,
} from './index.js';

const LEFT = 'https://staging.example.com/page';
const RIGHT = 'https://www.example.com/page';
const pairKey = pairKeyOf({ tenantId: 'acme', leftUrl: LEFT, rightUrl: RIGHT });
const ID = comparisonIdOf(pairKey, '00000000-0000-4000-8000-000000000000');
let key: CompareInput;
const STEPS = [
  'probeLeft',
  'saveLeftProbe',
  'probeRight',
  'saveRightProbe',
  'resample',
  'confirm',
  'computeDiff',
  'saveResult',
  'loadHistory',
  'callLLM',
];

let folder: string;
let database: OpenDatabase;
let store: ComparisonStore;
let recorded: Map<string, string>;
let asked: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sonde-compare-run-'));
  database = openDatabase(join(folder, 'sonde.db'));
});
afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

async function begin(
  options: CompareRunOptions = {},
  { left = null, right = null }: Partial<SealedSides> = {},
  comparisonId = ID,
): Promise<void> {
  key = { tenantId: 'acme', comparisonId };
  store = asyncPort<ComparisonStore>(sqliteComparisonStore(database, { clock: () => 1000 }));
  for (const table of ['probe_samples', 'probes', 'explanations', 'comparisons']) {
    database.run(`DELETE FROM ${table}`, []);
  }
  recorded = new Map();
  asked = [];
  await store.createComparison({
    ...key,
    pairKey,
    leftUrl: LEFT,
    rightUrl: RIGHT,
    optionsJson: JSON.stringify(options),
    explain: true,
    leftSealed: left,
    rightSealed: right,
  });
}

function contextFor(mortal: Mortal, more: Partial<CompareContext> = {}): CompareContext {
  const steps: Steps = {
    async do<T>(name: string, _options: unknown, run: () => Promise<T>): Promise<T> {
      const known = recorded.get(name);
      if (known !== undefined) return JSON.parse(known) as T;
      const result = await mortal.live(run);
      const text = JSON.stringify(result) ?? 'null';
      await mortal.live(async () => recorded.set(name, text));
      return JSON.parse(text) as T;
    },
  };
  return { steps, signal: new AbortController().signal, progress: () => undefined, ...more };
}

function partsFor(mortal: Mortal, more: Partial<CompareDeps> = {}): CompareDeps {
  const dying = new Proxy(store, {
    get: (target, name) => {
      const method = Reflect.get(target, name) as (...args: unknown[]) => Promise<unknown>;
      return (...args: unknown[]) => mortal.live(() => method.apply(target, args));
    },
  });
  return {
    store: dying,
    openSide: async (): Promise<SideRequest> => ({
      url: LEFT,
      headers: [['authorization', 'Bearer canary-secret']],
    }),
    probe: (request, { sample }) =>
      mortal.live(async () => {
        const side = request.url === LEFT ? 'left' : 'right';
        asked.push(`${side}${sample}`);
        return makeEnvelope(side, { status: side === 'left' ? 500 : 200 }, sample);
      }),
    clock: () => 2000,
    ...more,
  };
}

const ever = () => new Mortal(Number.POSITIVE_INFINITY);
const run = (mortal = ever(), deps: Partial<CompareDeps> = {}, context: Partial<CompareContext> = {}) =>
  compareEnvironments(key, contextFor(mortal, context), partsFor(mortal, deps));
const count = (table: string) => Number(database.all(`SELECT count(*) AS n FROM ${table}`, [])[0]?.['n']);

describe('a run', () => {
  test('runs every step once, samples in rounds, and stores the diff with its timestamp', async () => {
    await begin();
    await run();
    expect([...recorded.keys()].toSorted()).toEqual(STEPS.toSorted());
    expect([...recorded.keys()].slice(4)).toEqual(STEPS.slice(4));
    const rounds = [1, 2, 3].map((n) => asked.slice(2 * n - 2, 2 * n).toSorted());
    expect(rounds).toEqual([1, 2, 3].map((n) => [`left${n}`, `right${n}`]));
    const row = await store.getComparison(key);
    const result = JSON.parse(row?.resultJson ?? '') as { diff: EnvDiff; timestamp: number };
    expect(result).toEqual({ diff: expect.anything(), timestamp: 2000 });
    expect(result.diff).toMatchObject({ verdict: 'fail', samples: { left: { total: 3 } } });
    expect(row?.explanation).toMatchObject({ state: 'ready', model: null });
    expect(recorded.get('callLLM')).toBe('"ready"');
    expect(JSON.parse(row?.explanation.textJson ?? '')).toHaveProperty('summary');
  });

  test.each([
    [3, [45, 45, 60, 60]],
    [7, [36, 36, 42, 42, 49, 49, 55, 55, 62, 62, 68, 68]],
  ])('reports each probe, %i samples and the verdict with their progress', async (samples, percents) => {
    await begin({ samples });
    const reported: Progress[] = [];
    await run(ever(), {}, { progress: (event) => reported.push(event) });
    expect(reported.map(({ percent }) => percent)).toEqual([15, 30, ...percents, 80, 100]);
    expect(reported[0]?.message).toMatch(/^probed the (left|right) side$/);
    expect(reported.at(-2)?.message).toBe('compared: fail');
  });

  test('the side that is probed first depends on the comparison and the round alone', async () => {
    const firsts = new Set<string>();
    for (let n = 0; n < 8; n++) {
      await begin({ samples: 3 }, {}, comparisonIdOf(pairKey, `00000000-0000-4000-8000-00000000000${n}`));
      const { comparisonId } = key;
      await run();
      expect(asked).toEqual(
        [1, 2, 3].flatMap((round) =>
          sampleOrder(seededRandom(`${comparisonId} ${round}`)).map((side) => `${side}${round}`),
        ),
      );
      firsts.add(asked.filter((_, at) => at % 2 === 0).join());
    }
    expect(firsts.size).toBeGreaterThan(2);
  });

  test('ends with one result and two probes if killed at any point and resumed', async () => {
    let resumed = 0;
    for (let at = 0; ; at++) {
      await begin({ samples: 2 });
      const mortal = new Mortal(at);
      await run(mortal).catch(() => undefined);
      if (!mortal.dead) break;
      resumed++;
      await run();
      expect(await store.getComparison(key)).toMatchObject({
        status: 'completed',
        error: null,
        explanation: { state: 'ready' },
      });
      expect([count('comparisons'), count('probes'), count('probe_samples'), count('explanations')]).toEqual([
        1, 2, 2, 1,
      ]);
    }
    expect(resumed).toBeGreaterThan(40);
  });

  test('ends once even if killed repeatedly after a few actions', async () => {
    await begin({ samples: 2 });
    let runs = 0;
    for (let at = 11; runs < 200; at = 11 + (runs % 3)) {
      runs++;
      const mortal = new Mortal(at);
      await run(mortal).catch(() => undefined);
      if (!mortal.dead) break;
    }
    expect(await store.getComparison(key)).toMatchObject({ status: 'completed' });
    expect(count('probes')).toBe(2);
  });

  test('keeps the request of a side out of step results and erases it at the end', async () => {
    await begin({ samples: 1 }, { left: new Uint8Array([9, 9]) });
    await run();
    expect([...recorded.values()].join()).not.toContain('canary-secret');
    expect(await store.getSealed(key)).toBeUndefined();
    expect(database.all('SELECT left_sealed AS s FROM comparisons', [])[0]?.['s']).toBeNull();
  });

  test('a failing model leaves the comparison completed and reports the error', async () => {
    await begin({ samples: 1 });
    const explainer: Explainer = {
      explain: async () => ({
        state: 'failed',
        error: { code: 'model_error', message: 'down' },
        model: 'm',
        promptVersion: 1,
      }),
    };
    await run(ever(), { explainer });
    const row = await store.getComparison(key);
    expect(row).toMatchObject({ status: 'completed', explanation: { state: 'failed', model: 'm' } });
    expect(recorded.get('callLLM')).toBe('"failed"');
    // One sample was requested and taken.
    expect(row?.resultJson).not.toContain('SAMPLE_SHORTFALL');
    expect(JSON.parse(row?.explanation.textJson ?? '')).toMatchObject({
      error: { code: 'model_error' },
      summary: expect.any(String),
    });
  });

  test.each([
    [7, 5],
    [3, 3],
  ])('with %i earlier runs, a model gets the summaries of %i, not of this run', async (runs, given) => {
    await begin({ samples: 1 });
    const diff = computeDiff([makeEnvelope('left')], [makeEnvelope('right')]);
    for (let n = 1; n <= runs; n++) {
      const earlier = {
        ...key,
        comparisonId: comparisonIdOf(pairKey, `00000000-0000-4000-8000-00000000000${n}`),
      };
      await store.createComparison({
        ...earlier,
        pairKey,
        leftUrl: LEFT,
        rightUrl: RIGHT,
        optionsJson: '{}',
        explain: false,
        leftSealed: null,
        rightSealed: null,
      });
      await store.saveResult({ ...earlier, resultJson: JSON.stringify({ diff, timestamp: n }) });
    }
    const reported: unknown[] = [];
    const explainer: Explainer = {
      async explain(_diff, history) {
        reported.push(...history);
        return { state: 'failed', error: { code: 'x', message: 'y' }, model: 'm', promptVersion: 1 };
      },
    };
    await run(ever(), { explainer });
    // The current run fails, so it is not among these.
    expect(reported).toEqual(
      Array(given).fill(expect.objectContaining({ verdict: 'pass', summary: expect.stringMatching(/\w/) })),
    );
  });
});

describe('a run that cannot succeed', () => {
  test.each(['left', 'right'] as const)(
    'probes neither side if the %s one cannot be opened',
    async (side) => {
      await begin({}, { [side]: new Uint8Array([1]) });
      const openSide = async () => Promise.reject(new SondeError('INTERNAL', 'another key'));
      await expect(run(ever(), { openSide })).rejects.toThrow('another key');
      expect(asked).toEqual([]);
    },
  );

  test('sends no request for a comparison that has ended, because its credentials are erased', async () => {
    await begin({ samples: 1 }, { left: new Uint8Array([1]) });
    const ends = {
      async do<T>(_name: string, _options: unknown, act: () => Promise<T>): Promise<T> {
        await store.failComparison({ ...key, error: '{"code":"canceled"}' });
        return act();
      },
    };
    await expect(run(ever(), {}, { steps: ends })).rejects.toMatchObject({ code: 'canceled' });
    expect(asked).toEqual([]);
  });

  test('ends its comparison after a permanent failure', async () => {
    await begin();
    const refused = new SondeError('INVALID_REQUEST', 'no good');
    await expect(
      run(ever(), {
        openSide: async () => Promise.reject(refused),
        probe: async () => Promise.reject(refused),
      }),
    ).rejects.toBe(refused);
    expect(await store.getComparison(key)).toMatchObject({
      status: 'failed',
      error: '{"code":"INVALID_REQUEST","message":"no good"}',
    });
  });

  test('is left to the next attempt after a transient failure; the last one ends it without internal details', async () => {
    await begin();
    const probe = async () => Promise.reject(new Error('ECONNRESET at 10.0.0.7'));
    await expect(run(ever(), { probe })).rejects.toThrow('ECONNRESET');
    expect(await store.getComparison(key)).toMatchObject({ status: 'running' });
    await expect(run(ever(), { probe }, { lastAttempt: true })).rejects.toThrow('ECONNRESET');
    const row = await store.getComparison(key);
    expect(row).toMatchObject({ status: 'failed', error: expect.stringContaining('INTERNAL') });
    expect(row?.error).not.toContain('10.0.0.7');
  });

  test('is not ended if interrupted, and a canceled probe does not count as a response', async () => {
    await begin();
    const controller = new AbortController();
    const probe = async () => {
      controller.abort(new Error('lease lost'));
      return makeEnvelope('left', { error: { code: 'canceled', message: 'canceled' } });
    };
    await expect(run(ever(), { probe }, { signal: controller.signal, lastAttempt: true })).rejects.toThrow(
      'lease lost',
    );
    expect(await store.getComparison(key)).toMatchObject({ status: 'running' });
    expect(recorded.size).toBe(0);
  });

  test('sends nothing after an abort', async () => {
    await begin();
    const signal = AbortSignal.abort(new Error('lease lost'));
    await expect(run(ever(), {}, { signal })).rejects.toThrow('lease lost');
    expect(asked).toEqual([]);
  });

  test('probes a failed side again: the later response counts, and the failure is reported', async () => {
    await begin();
    const probe: CompareDeps['probe'] = async (request, { sample }) => {
      const side = request.url === LEFT ? 'left' : 'right';
      const dead = side === 'left' && sample === 1;
      const sketch = dead ? { error: { code: 'connect_error' as const, message: 'refused' } } : {};
      return makeEnvelope(side, sketch, sample);
    };
    await run(ever(), { probe });
    const row = await store.getComparison(key);
    const { diff } = JSON.parse(row?.resultJson ?? '') as { diff: EnvDiff };
    expect(diff.verdict).toBe('inconclusive');
    expect(diff.findings.filter(({ severity }) => severity !== 'info')).toMatchObject([
      { code: 'PROBE_FLAKY', severity: 'warn', direction: 'left_weaker' },
    ]);
  });

  test('every step has retries and a timeout shorter than the lease of a comparison', async () => {
    await begin();
    const [bounds, timeouts] = [new Map<string, unknown>(), [] as number[]];
    const { steps } = contextFor(ever());
    const watched: Steps = {
      do(name, { retries, timeoutMs = Number.POSITIVE_INFINITY }, act) {
        bounds.set(name, [retries?.limit, retries?.delayMs, retries?.backoff, timeoutMs]);
        timeouts.push(timeoutMs);
        return steps.do(name, {}, act);
      },
    };
    await run(ever(), {}, { steps: watched });
    const [probe, stored, rounds] = [
      [2, 1_000, 'exponential', 60_000],
      [5, 200, 'exponential', 30_000],
      [2, 1_000, 'exponential', 1_800_000],
    ];
    expect(STEPS.map((name) => bounds.get(name))).toEqual([
      ...[probe, stored, probe, stored],
      ...[rounds, rounds, stored, stored, stored],
      [2, 2_000, 'exponential', 120_000],
    ]);
  });

  test('does not run an ended or unknown comparison', async () => {
    await begin();
    await store.failComparison({ ...key, error: 'x' });
    await run();
    expect(asked).toEqual([]);
    const unknown = compareEnvironments({ ...key, comparisonId: 'no' }, contextFor(ever()), partsFor(ever()));
    await expect(unknown).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
