/** Runs every case of the shared egress corpus. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readEgressCase } from '../../src/net/index.js';
import { runEgressCase } from '../../src/runtimes/node/cases/run-egress-case.js';

const lines = readFileSync(new URL('../corpus/egress.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n');

test.each(lines.map((line, index) => readEgressCase(line, index + 1)))('$id: $expect', async (each) => {
  const verdict = await runEgressCase(each);
  expect(verdict).toMatchObject({ got: each.expect, faults: [] });
});
