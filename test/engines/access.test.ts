/**
 * The access matrix: what every operation responds to every credential and body, recorded in `test/access/golden`. An
 * operation of the API document without a row in a part fails. `vitest run -u` records it again.
 */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listenAsUpstream, type OpenBench, openBench, openLocalBench } from '../access/bench.js';
import { differences } from '../access/outcomes.js';
import { PARTS } from '../access/parts.js';
import {
  pathsOf,
  recordLimited,
  recordPath,
  recordRow,
  recordUnusual,
  requestsOf,
} from '../access/record-matrix.js';
import { UNUSUAL } from '../access/unusual.js';
import type { Listening } from '../support/listen.js';
import { AT_EDGE } from '../support/serve-engine.js';

let site: Listening;
let bench: OpenBench;
let local: OpenBench;
let limited: OpenBench;
beforeAll(async () => {
  site = await listenAsUpstream();
  bench = await openBench(site.origin);
  local = await openLocalBench(site.origin);
  limited = await openBench(site.origin, 1);
});
afterAll(async () => {
  for (const each of [bench, local, limited]) await each?.close();
  await site?.close();
});

const GOLDEN = '../access/golden';
const atEdge: string[] = [];

async function expectRecorded(name: string, lines: readonly string[]): Promise<void> {
  const file = `${GOLDEN}/${name}.txt`;
  const text = `${lines.join('\n')}\n`;
  if (!AT_EDGE) return expect(text).toMatchFileSnapshot(file);
  atEdge.push(...differences(readFileSync(new URL(file, import.meta.url), 'utf8'), text));
}

test('every operation has a row in one part', () => {
  const rows = PARTS.flatMap((part) => Object.keys(part.rows));
  expect(rows.sort()).toEqual(bench.api.operations.map(({ operationId }) => operationId).sort());
});

test.each(PARTS)('$name: every credential and body', async (part) => {
  const lines: string[] = [];
  for (const request of requestsOf(part, bench.api)) {
    lines.push(request.title, ...(await recordRow(bench, request)), ...(await recordRow(local, request)));
    lines.push(...(await recordLimited(limited, request.operation)));
  }
  for (const [path, supported] of pathsOf(part, bench.api)) {
    lines.push(path, ...(await recordPath(bench, path, supported)));
  }
  await expectRecorded(part.name, lines);
});

test('unusual targets', async () => {
  const { expose, allowHeaders, allowMethods } = bench.usual;
  const usual = [`exposed: ${expose}`, `headers: ${allowHeaders}`, `methods: ${allowMethods}`];
  const lines = [...usual, ...(await recordUnusual(bench, UNUSUAL))];
  await expectRecorded('targets', lines);
});

if (AT_EDGE) {
  test('the edge differs only in what is recorded', async () => {
    await expect(`${atEdge.join('\n')}\n`).toMatchFileSnapshot(`${GOLDEN}/edge.txt`);
  });
}
