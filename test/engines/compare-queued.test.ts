/** Comparisons that nobody runs yet: how they read, how many there may be, and how they end. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { JOB_OPTIONS, type ServedForTest, serveForTest } from '../support/serve.js';

let server: ServedForTest;
beforeAll(async () => {
  server = await serveForTest({ jobs: { ...JOB_OPTIONS, concurrency: 0 } });
});
afterAll(() => server.stop());

const post = (path: string, body: object) =>
  fetch(server.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const create = (more: object = {}) =>
  post('/api/compare', {
    leftUrl: 'https://staging.example.com/',
    rightUrl: 'https://www.example.com/',
    ...more,
  });
const idOf = async (answer: Response) => ((await answer.json()) as { comparisonId: string }).comparisonId;
const show = async (id: string) => (await fetch(`${server.url}/api/compare/${id}`)).json();

test('one that waits reads as running, with or without a text to come', async () => {
  const pending = await show(await idOf(await create()));
  expect(pending).toMatchObject({ status: 'running', explanationState: 'pending' });
  expect(pending).not.toHaveProperty('result');
  expect(await show(await idOf(await create({ explain: false })))).toMatchObject({
    status: 'running',
    explanationState: 'off',
  });
});

test('of one pair twenty run, and the next is refused until one has ended', async () => {
  const pair = { leftUrl: 'https://left.example.com/' };
  const ids: string[] = [];
  for (let n = 0; n < 20; n++) ids.push(await idOf(await create(pair)));
  const refused = await create(pair);
  expect(refused.status).toBe(429);
  expect(await refused.json()).toMatchObject({ error: { code: 'too_many_running', limit: 20 } });
  expect((await create({ leftUrl: 'https://other.example.com/' })).status).toBe(201);
  const jobId = ids[0]?.split(':')[1] ?? '';
  expect((await post(`/api/jobs/${jobId}/cancel`, {})).status).toBe(200);
  expect(await show(ids[0] ?? '')).toMatchObject({ status: 'failed', error: { code: 'canceled' } });
  expect((await create(pair)).status).toBe(201);
});
