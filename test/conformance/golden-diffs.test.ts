/** The diff of every golden pair keeps its exact bytes, also in other time zones and languages. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { computeDiff, type EnvDiff, serializeDiff } from '../../src/compare/index.js';
import type { SignalEnvelope } from '../../src/probe/index.js';
import { readEnvelope } from '../../src/probe/index.js';
import { GOLDEN_PAIRS } from '../support/golden-pairs.js';

const FOLDER = fileURLToPath(new URL('../golden/compare/', import.meta.url));
const NAMES = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.diff.json'))
  .map((name) => name.replace('.diff.json', ''));

interface Pair {
  readonly left: readonly SignalEnvelope[];
  readonly right: readonly SignalEnvelope[];
}
const pairOf = (name: string) => JSON.parse(readFileSync(`${FOLDER}${name}.json`, 'utf8')) as Pair;
const HINT = 'if the change is deliberate, run `npm run generate`';
const golden = (name: string) => readFileSync(`${FOLDER}${name}.diff.json`, 'utf8').trimEnd();

/** As objects first, because their difference is short and readable. */
function expectGolden(diff: string, name: string): void {
  expect(JSON.parse(diff), HINT).toEqual(JSON.parse(golden(name)));
  expect(diff, HINT).toBe(golden(name));
}

test('there are at least twenty pairs, and the files match the sketches', () => {
  expect(NAMES.length).toBeGreaterThanOrEqual(20);
  expect(NAMES.toSorted()).toEqual(Object.keys(GOLDEN_PAIRS).sort());
  for (const name of NAMES) expect(pairOf(name)).toEqual(JSON.parse(JSON.stringify(GOLDEN_PAIRS[name])));
});

describe.each(NAMES)('%s', (name) => {
  const { left, right } = pairOf(name);

  test('its envelopes are valid, and its diff has the same bytes', () => {
    for (const envelope of [...left, ...right])
      expect(readEnvelope(envelope, name)).toMatchObject({ schemaVersion: 1 });
    expectGolden(serializeDiff(computeDiff(left, right)), name);
  });

  test('its diff is the same after a round trip of envelopes and diff through JSON', () => {
    const again = structuredClone({ left, right });
    const diff = computeDiff(again.left, again.right);
    expectGolden(serializeDiff(JSON.parse(JSON.stringify(diff)) as EnvDiff), name);
  });
});

/** Environments that respond alike, including everything that changes between responses. */
test.each(['identical-api', 'identical-page'])('%s compares clean: no finding above info', (name) => {
  const { left, right } = pairOf(name);
  expect(computeDiff(left, right)).toMatchObject({ verdict: 'pass', counts: { critical: 0, warn: 0 } });
});

describe('in another process', () => {
  let folder: string;
  let script: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'sonde-golden-'));
    script = join(folder, 'print.mjs');
    const entry = fileURLToPath(new URL('../../src/compare/index.ts', import.meta.url));
    const compare = join(folder, 'compare.mjs');
    buildSync({
      entryPoints: [entry],
      outfile: compare,
      bundle: true,
      format: 'esm',
      platform: 'node',
      logLevel: 'error',
    });
    writeFileSync(
      script,
      `import { computeDiff, serializeDiff } from './compare.mjs';
       import { readFileSync } from 'node:fs';
       const [folder, ...names] = process.argv.slice(2);
       for (const name of names) {
         const { left, right } = JSON.parse(readFileSync(folder + name + '.json', 'utf8'));
         console.log(serializeDiff(computeDiff(left, right)));
       }`,
    );
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each([
    ['UTC', 'C'],
    ['Asia/Kolkata', 'tr_TR.UTF-8'],
    ['America/St_Johns', 'de_DE.UTF-8'],
  ])('TZ=%s LANG=%s produces the same bytes', (TZ, LANG) => {
    const run = spawnSync(process.execPath, [script, FOLDER, ...NAMES], {
      env: { ...process.env, TZ, LANG, LC_ALL: LANG },
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    });
    expect(run.stderr).toBe('');
    const diffs = run.stdout.trimEnd().split('\n');
    expect(diffs).toHaveLength(NAMES.length);
    for (const [at, name] of NAMES.entries()) expectGolden(diffs[at] ?? '', name);
  });
});
