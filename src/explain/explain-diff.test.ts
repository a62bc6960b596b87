import { expect, test } from 'vitest';
import { makeEnvelope } from '../../test/support/make-envelope.js';
import { type CompareOptions, computeDiff } from '../compare/index.js';
import { explainDiff } from './explain-diff.js';

type Headers = Readonly<Record<string, string>>;

/** The right side has the headers in every sample. */
const notesOf = (headers: Headers, left: readonly Headers[], options: CompareOptions = {}) => {
  const samples = (side: 'left' | 'right', all: readonly Headers[]) =>
    all.map((each, at) => makeEnvelope(side, { headers: each }, at + 1));
  const right = left.map(() => headers);
  return explainDiff(computeDiff(samples('left', left), samples('right', right), options)).notes;
};
const ONE = { 'x-robots-tag': 'noindex' };
const TWO = { ...ONE, 'x-version': '2' };

test.each([
  [ONE, '1 finding already differs within one side and does not count.'],
  [TWO, '2 findings already differ within one side and do not count.'],
])('says how many findings are noise: %j', (headers, note) => {
  expect(notesOf(headers, [{}, headers, {}])).toContain(note);
});

test.each([
  [ONE, '1 finding is ignored by --ignore rules.'],
  [TWO, '2 findings are ignored by --ignore rules.'],
])('says how many findings are ignored, noise or not: %j', (headers, note) => {
  const ignore = [{ code: '*' }];
  expect(notesOf(headers, [{}, {}], { ignore })).toEqual([note]);
  expect(notesOf(headers, [{}, headers, {}], { ignore })).toEqual([note]);
});
