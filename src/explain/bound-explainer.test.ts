import { expect, test } from 'vitest';
import { makeEnvelope } from '../../test/support/make-envelope.js';
import { computeDiff } from '../compare/index.js';
import { createBoundExplainer } from './bound-explainer.js';

const sketch = (cacheControl: string) => ({
  url: 'https://www.example.com/',
  headers: { 'cache-control': cacheControl, 'content-type': 'text/html' },
});
const diff = computeDiff(
  [makeEnvelope('left', sketch('no-store'), 1)],
  [makeEnvelope('right', sketch('max-age=600'), 1)],
);
const valid = {
  summary: 'The right side may be cached.',
  ranked_causes: [{ cause: 'A rule', confidence: 0.8, evidence: [diff.findings[0]?.id] }],
  actions: [],
  notes: [],
};
const explain = (response: unknown, timeoutMs = 5_000) => {
  const run = async () => response;
  return createBoundExplainer({ model: 'm', run, timeoutMs }).explain(diff, []);
};

test('accepts text or an object from the platform', async () => {
  for (const response of [valid, JSON.stringify(valid), `Here: ${JSON.stringify(valid)}`]) {
    expect(await explain({ response })).toMatchObject({
      state: 'ready',
      model: 'm',
      explanation: { summary: valid.summary },
    });
  }
});

test.each([
  [{}, 'invalid_explanation'],
  [null, 'invalid_explanation'],
  [{ response: 'no object' }, 'invalid_explanation'],
  [
    { response: { ...valid, ranked_causes: [{ cause: 'x', confidence: 1, evidence: ['NO:1'] }] } },
    'invalid_explanation',
  ],
])('%j is a failed explanation', async (response, code) => {
  expect(await explain(response)).toMatchObject({ state: 'failed', error: { code } });
});

test('a model that throws or does not respond fails only the explanation', async () => {
  const thrown = createBoundExplainer({ model: 'm', run: () => Promise.reject(new Error('no capacity')) });
  expect(await thrown.explain(diff, [])).toMatchObject({ state: 'failed', error: { code: 'fetch_error' } });
  const never = createBoundExplainer({ model: 'm', run: () => new Promise(() => {}), timeoutMs: 20 });
  expect(await never.explain(diff, [])).toMatchObject({ state: 'failed', error: { code: 'timeout' } });
});
