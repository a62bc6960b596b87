/** Secrets in a URL or a header of a side are used, but appear in no file, response or log line. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keepingLog, type LogLine } from '../support/keeping-log.js';
import { type Listening, listenHttp } from '../support/listen.js';
import { type ServedForTest, serveForTest } from '../support/serve.js';
import { storedFilesWith } from '../support/stored-files.js';

const CANARIES = [
  'canary-of-the-query-4711',
  'canary-of-a-header-4712',
  'canary-of-a-response-4713',
] as const;
const [inQuery, inHeader, inResponse] = CANARIES;

let site: Listening;
let server: ServedForTest;
const asked: { url: string | undefined; key: unknown }[] = [];
const lines: LogLine[] = [];
beforeAll(async () => {
  site = await listenHttp((request, response) => {
    asked.push({ url: request.url, key: request.headers['x-api-key'] });
    const headers = { 'content-type': 'application/json', 'set-cookie': `session=${inResponse}` };
    response.writeHead(200, headers).end(JSON.stringify({ token: inResponse, echoed: request.url }));
  });
  server = await serveForTest({ net: { allowPrivate: [site.origin] }, log: keepingLog(lines) });
});
afterAll(async () => {
  await server.stop();
  await site.close();
});

function expectNowhere(text: string, where: string): void {
  for (const canary of CANARIES) expect(text.includes(canary), `${canary} in ${where}`).toBe(false);
}

test('a comparison uses secrets and stores none of them', async () => {
  const made = await fetch(`${server.url}/api/compare`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      leftUrl: `${site.origin}/a?api_key=${inQuery}`,
      rightUrl: `${site.origin}/b`,
      rightHeaders: { 'x-api-key': inHeader },
      samples: 2,
    }),
  });
  expect(made.status).toBe(201);
  const { comparisonId } = (await made.json()) as { comparisonId: string };
  const path = `${server.url}/api/compare/${comparisonId}`;
  await (await fetch(`${path}/events`, { headers: { accept: 'text/event-stream' } })).text();
  expect(asked).toContainEqual({ url: `/a?api_key=${inQuery}`, key: undefined });
  expect(asked).toContainEqual({ url: '/b', key: inHeader });
  expect(asked.filter(({ url, key }) => url?.startsWith('/a') && key !== undefined)).toEqual([]);

  for (const shown of [path, `${path}/probes`, `${path}/events`, `${server.url}/api/pairs`]) {
    const response = await fetch(shown);
    expect(response.status).toBe(200);
    expectNowhere(await response.text(), shown);
  }
  expectNowhere(JSON.stringify(lines), 'the log');
  for (const canary of CANARIES) {
    const { all, found } = storedFilesWith(server.dataDir, canary);
    expect(all).toBeGreaterThan(0);
    expect(found, canary).toEqual([]);
  }
});

test('a URL with a password is refused, and the refusal does not repeat it', async () => {
  const refused = await fetch(`${server.url}/api/compare`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ leftUrl: `http://bob:${inQuery}@example.com/`, rightUrl: site.origin }),
  });
  expect(refused.status).toBe(400);
  const text = await refused.text();
  expect(JSON.parse(text)).toMatchObject({ error: { code: 'invalid_url', rule: 'userinfo' } });
  expectNowhere(text, 'the response');
  expectNowhere(JSON.stringify(lines), 'the log');
});
