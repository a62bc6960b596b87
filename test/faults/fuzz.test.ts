/** Seeded requests get documented responses only; also tests the checker itself. */
import { expect, test } from 'vitest';
import { ApiDocument, type Received } from '../support/api-fuzz/api-document.js';
import { runFuzz } from '../support/api-fuzz/run-fuzz.js';
import { report } from '../support/fault-report.js';

const DOCUMENT = {
  'x-common-headers': { 'X-Request-Id': 'any' },
  components: {
    schemas: { Item: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] } },
  },
  paths: {
    '/items': {
      get: {
        operationId: 'getItem',
        responses: {
          200: {
            headers: { ETag: { required: true } },
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Item' } } },
          },
          204: {},
        },
      },
    },
  },
};

test.each<[string, Partial<Received>, RegExp | undefined]>([
  ['a documented response', {}, undefined],
  ['an undocumented status', { status: 418 }, /status 418/],
  ['a body that does not match', { body: Buffer.from('{"id":7}') }, /does not match/],
  ['a body that is not JSON', { body: Buffer.from('{') }, /not JSON/],
  ['an undocumented content type', { headers: { etag: 'x', 'content-type': 'text/plain' } }, /text\/plain/],
  ['a missing required header', { headers: { 'content-type': 'application/json' } }, /ETag is missing/],
  [
    'an undocumented header',
    { headers: { etag: 'x', 'content-type': 'application/json', 'x-more': '1' } },
    /x-more/,
  ],
  ['a 204 with a body', { status: 204, headers: {} }, /has a body/],
])('the response checker recognises %s', (_name, part, expected) => {
  const api = new ApiDocument(DOCUMENT);
  const [operation] = api.operations;
  const received = {
    status: 200,
    headers: { etag: 'x', 'content-type': 'application/json', 'x-request-id': 'x' },
    body: Buffer.from('{"id":"a"}'),
    ...part,
  };
  const problem = operation && api.problem(operation, received);
  if (expected) expect(problem).toMatch(expected);
  else expect(problem).toBeUndefined();
});

test('seeded requests over all operations get documented responses only', async () => {
  const { problems, errorLines, ...figures } = await runFuzz({ seed: 1, requests: 1_000 });
  report('fuzz', { ...figures, statuses: JSON.stringify(figures.statuses) });
  expect(problems).toEqual({});
  expect(errorLines).toEqual([]);
}, 400_000);
