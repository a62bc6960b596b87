/** The whole shared redaction corpus: every string of `hide` is gone, every string of `keep` is kept. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createRedactor } from '../../src/net/redact/index.js';

interface RedactionCase {
  readonly id: string;
  readonly input: string;
  readonly hide: readonly string[];
  readonly keep: readonly string[];
}

const corpus = readFileSync(new URL('../corpus/redaction.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line): RedactionCase => JSON.parse(line));

const redactor = createRedactor();

test('the corpus is not empty', () => {
  expect(corpus.length).toBeGreaterThanOrEqual(42);
});

test.each(corpus)('$id', ({ input, hide, keep }) => {
  const output = redactor.text(input);
  for (const secret of hide) expect(output).not.toContain(secret);
  for (const text of keep) expect(output).toContain(text);
  expect(redactor.text(output)).toBe(output);
});
