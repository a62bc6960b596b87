/** The durable run takes more samples if one side varies, on a real store, and none twice after an interruption. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { asyncPort } from '../../test/support/async-port.js';
import { makeEnvelope } from '../../test/support/make-envelope.js';
import { type ComparisonStore, comparisonIdOf, pairKeyOf } from '../compare/index.js';
import { openDatabase } from '../runtimes/node/sqlite/open-database.js';
import { sqliteComparisonStore } from '../stores/sqlite/run-work.js';
import { type CompareRunOptions, compareEnvironments } from './compare-environments.js';

const urls = { leftUrl: 'https://staging.example.com/page', rightUrl: 'https://www.example.com/page' };
const pairKey = pairKeyOf({ tenantId: 'acme', ...urls });
const key = {
  tenantId: 'acme',
  comparisonId: comparisonIdOf(pairKey, '00000000-0000-4000-8000-000000000000'),
};

async function run(options: CompareRunOptions, { worse = true, dieAfter = Number.POSITIVE_INFINITY } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'sonde-confirm-'));
  const database = openDatabase(join(folder, 'sonde.db'));
  const store = asyncPort<ComparisonStore>(sqliteComparisonStore(database, { clock: () => 1000 }));
  const rest = { optionsJson: JSON.stringify(options), explain: false };
  await store.createComparison({ ...key, pairKey, ...urls, ...rest, leftSealed: null, rightSealed: null });
  const asked: string[] = [];
  let left = dieAfter;
  const attempt = () =>
    compareEnvironments(
      key,
      {
        steps: { do: (_name, _options, act) => act() },
        signal: new AbortController().signal,
        progress: () => undefined,
      },
      {
        store,
        openSide: () => Promise.reject(new Error('nothing is sealed')),
        async probe({ url }, { sample, spacing }) {
          if (left-- <= 0) throw new Error('killed');
          const side = url === urls.leftUrl ? 'left' : 'right';
          if (!spacing) asked.push(`${side}${sample}`);
          const noindex = worse && side === 'left' && sample % 2 === 0 && { 'x-robots-tag': 'noindex' };
          return makeEnvelope(side, noindex ? { headers: noindex } : {}, sample);
        },
        clock: () => 2000,
      },
    );
  try {
    if (dieAfter < Number.POSITIVE_INFINITY) await expect(attempt()).rejects.toThrow('killed');
    left = Number.POSITIVE_INFINITY;
    await attempt();
    const row = await store.getComparison(key);
    return { asked, diff: JSON.parse(row?.resultJson ?? '{}').diff };
  } finally {
    database.close();
    rmSync(folder, { recursive: true });
  }
}

test.each([
  [{}, 12],
  [{ confirmSamples: 5 }, 5],
  [{ confirmSamples: 2 }, 3],
])('with %j, a side that varies is sampled %i times', async (options, total) => {
  const { diff, asked } = await run(options);
  expect(diff).toMatchObject({ verdict: 'fail', samples: { left: { total }, right: { total } } });
  expect(diff.findings).toMatchObject([{ occurrence: { samples: Math.floor(total / 2), of: total } }]);
  expect(asked).toHaveLength(2 * total);
});

test('sides that do not vary are sampled three times', async () => {
  const { diff, asked } = await run({}, { worse: false });
  expect([diff.verdict, asked.length]).toEqual(['pass', 6]);
});

test('a run that is killed between added samples continues with the missing ones', async () => {
  const { diff, asked } = await run({}, { dieAfter: 13 });
  expect(diff).toMatchObject({ samples: { left: { total: 12 }, right: { total: 12 } } });
  expect(new Set(asked.filter((one) => !/1$/.test(one) || /11$/.test(one))).size).toBe(22);
});
