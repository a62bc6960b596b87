/** Exact expected output for a corpus of texts: one line per case, without `out` if nothing changes. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createRedactor } from './redactor.js';

interface ExactCase {
  readonly in: string;
  readonly out?: string;
}

const corpus = readFileSync(new URL('../../../test/corpus/redaction-exact.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line): ExactCase => JSON.parse(line));

test('redacts every text of the corpus exactly and idempotently', () => {
  const redactor = createRedactor();
  const expected = corpus.map((each) => [each.in, each.out ?? each.in]);
  expect(corpus.map((each) => [each.in, redactor.text(each.in)])).toEqual(expected);
  expect(expected.map(([, out = '']) => redactor.text(out))).toEqual(expected.map(([, out]) => out));
  expect(corpus.length).toBeGreaterThan(600);
});
