import { expect, test } from 'vitest';
import { fromClientError, rawErrorAnswer } from './raw-error.js';

test.each([
  ['HPE_HEADER_OVERFLOW', 'HEADERS_TOO_LARGE', 431],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 'BODY_TOO_LARGE', 413],
  ['ERR_HTTP_REQUEST_TIMEOUT', 'REQUEST_TIMEOUT', 408],
  ['HPE_INVALID_METHOD', 'INVALID_REQUEST', 400],
  [undefined, 'INVALID_REQUEST', 400],
])('%s is %s', (parser, code, status) => {
  const answer = rawErrorAnswer(fromClientError(parser, 4096));
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(head).toContain(`Content-Length: ${body.length}`);
  expect(head).toContain('Connection: close');
  expect((JSON.parse(body) as { error: { code: string } }).error.code).toBe(code);
});
