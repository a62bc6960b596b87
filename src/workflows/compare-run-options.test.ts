/** How the options of a comparison, and the findings accepted for its pair, reach its result. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { asyncPort } from '../../test/support/async-port.js';
import { makeEnvelope, type Sketch } from '../../test/support/make-envelope.js';
import {
  acceptFindings,
  type ComparisonStore,
  comparisonIdOf,
  type EnvDiff,
  pairKeyOf,
} from '../compare/index.js';
import { SondeError } from '../errors.js';
import type { Side } from '../probe/index.js';
import { type OpenDatabase, openDatabase } from '../runtimes/node/sqlite/open-database.js';
import { sqliteComparisonStore } from '../stores/sqlite/run-work.js';
import { type CompareRunOptions, compareEnvironments } from './index.js';

const PAIR = {
  tenantId: 'acme',
  leftUrl: 'https://staging.example.com/page',
  rightUrl: 'https://www.example.com/page',
};
const pairKey = pairKeyOf(PAIR);

let database: OpenDatabase;
let store: ComparisonStore;
let runs: number;

beforeEach(() => {
  database = openDatabase(':memory:');
  store = asyncPort<ComparisonStore>(sqliteComparisonStore(database, { clock: () => 1000 }));
  runs = 0;
});
afterEach(() => database.close());

type Sketches = (side: Side, sample: number) => Sketch;

/** Compares with these options, and returns the row, its diff and the steps. */
async function compare(options: CompareRunOptions, sketch: Sketches, explain = false) {
  runs += 1;
  const comparisonId = comparisonIdOf(pairKey, `00000000-0000-4000-8000-00000000000${runs}`);
  const key = { tenantId: PAIR.tenantId, comparisonId };
  await store.createComparison({
    ...{ ...PAIR, ...key, pairKey, optionsJson: JSON.stringify(options), explain },
    ...{ leftSealed: null, rightSealed: null },
  });
  const steps: string[] = [];
  const context = {
    steps: {
      async do<T>(name: string, _options: object, act: () => Promise<T>): Promise<T> {
        steps.push(name);
        return act();
      },
    },
    signal: new AbortController().signal,
    progress: () => undefined,
  };
  await compareEnvironments(key, context, {
    store,
    openSide: () => Promise.reject(new Error('nothing was sealed')),
    probe: async ({ url }, { sample }) => {
      const side = url === PAIR.leftUrl ? 'left' : 'right';
      return makeEnvelope(side, sketch(side, sample), sample);
    },
    clock: () => 2000,
  });
  const row = await store.getComparison(key);
  const { diff } = JSON.parse(row?.resultJson ?? '') as { diff: EnvDiff };
  return { row, diff, steps, comparisonId };
}

const codesOf = ({ findings }: EnvDiff) => findings.map(({ code }) => code);
const errorOnTheLeft: Sketches = (side) => ({ status: side === 'left' ? 500 : 200 });

describe('options', () => {
  test('three samples of each side are expected by default', async () => {
    const { diff } = await compare({}, () => ({}));
    expect(diff.samples).toMatchObject({ left: { total: 3 }, right: { total: 3 } });
    expect(diff.notices.map(({ code }) => code)).not.toContain('SAMPLE_SHORTFALL');
  });

  test('ignored findings do not count', async () => {
    const { diff } = await compare({ samples: 1 }, errorOnTheLeft);
    expect(diff.verdict).toBe('fail');
    const ignoring = await compare({ samples: 1, ignore: codesOf(diff) }, errorOnTheLeft);
    expect(ignoring.diff.verdict).toBe('pass');
  });

  test('origins that count as the same place make no difference', async () => {
    const cdn = { left: 'https://cdn.staging.example.net', right: 'https://cdn.example.net' };
    const linked: Sketches = (side) => ({ html: { canonical: `${cdn[side]}/page` } });
    expect(codesOf((await compare({ samples: 1 }, linked)).diff)).toContain('HTML_META_DRIFT');
    const { diff } = await compare({ samples: 1, origins: [cdn] }, linked);
    expect(codesOf(diff)).not.toContain('HTML_META_DRIFT');
    expect(diff.origins).toContainEqual(cdn);
  });

  test('a pinned value that differs is a warning', async () => {
    const price: Sketches = (side) => ({ json: { price: side === 'left' ? 1 : 2 } });
    const severity = async (options: CompareRunOptions) => {
      const { diff } = await compare({ samples: 1, ...options }, price);
      return diff.findings.find(({ code }) => code === 'JSON_VALUE_DRIFT')?.severity;
    };
    expect([await severity({}), await severity({ pinned: ['/price'] })]).toEqual(['info', 'warn']);
  });

  test('an earlier comparison that failed is not part of the history', async () => {
    const failing: Sketches = () => {
      throw new SondeError('INVALID_REQUEST', 'no good');
    };
    await expect(compare({ samples: 1 }, failing)).rejects.toThrow('no good');
    const { row } = await compare({ samples: 1 }, errorOnTheLeft, true);
    expect(row).toMatchObject({ status: 'completed', explanation: { state: 'ready' } });
  });

  test('without an explanation the model is not asked, and none is stored', async () => {
    const { row, steps } = await compare({ samples: 1 }, errorOnTheLeft);
    expect(row?.explanation).toMatchObject({ state: 'off', textJson: null });
    expect(steps.at(-1)).toBe('saveResult');
    const explained = await compare({ samples: 1 }, errorOnTheLeft, true);
    expect(explained.steps.at(-1)).toBe('callLLM');
  });
});

describe('an accepted finding', () => {
  const at = (day: string): Sketch['more'] => ({ capturedAt: `2026-03-${day}T23:59:59.999Z` });

  test.each([
    ['on its last day', '03', 'known'],
    ['on the day after', '04', 'new'],
  ])('counts or not by the day of the first sample of the right side: %s', async (_name, day, status) => {
    const sketch: Sketches = (side, sample) => ({
      ...errorOnTheLeft(side, sample),
      // Later samples and the other side were captured on other days.
      more: { ...at(side === 'right' && sample === 1 ? day : '28') },
    });
    const { diff, comparisonId } = await compare({ samples: 2 }, sketch);
    const entries = acceptFindings(diff, { url: PAIR.rightUrl, expires: '2026-03-03' });
    const accepted = entries.map((entry) => ({ entry, comparisonId, acceptedAt: 1 }));
    await store.acceptFindings({ tenantId: PAIR.tenantId, pairKey, accepted });
    const again = (await compare({ samples: 2 }, sketch)).diff.findings.filter(
      ({ severity }) => severity !== 'info',
    );
    expect(again.map((finding) => finding.status)).toEqual(again.map(() => status));
    expect(again).not.toEqual([]);
  });
});
