import { expect, test } from 'vitest';
import { fromClientError, rawErrorResponse } from './raw-error.js';

test.each([
  ['HPE_HEADER_OVERFLOW', 'HEADERS_TOO_LARGE', 431],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 'BODY_TOO_LARGE', 413],
  ['ERR_HTTP_REQUEST_TIMEOUT', 'REQUEST_TIMEOUT', 408],
  ['HPE_INVALID_METHOD', 'INVALID_REQUEST', 400],
  [undefined, 'INVALID_REQUEST', 400],
])('maps %s to %s', (parser, code, status) => {
  const response = rawErrorResponse(fromClientError(parser, 4096), Buffer.from('GET / HTTP/1.1\r\n'));
  const [head = '', body = ''] = response.split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(head).toContain(`Content-Length: ${body.length}`);
  expect(head).toContain('Connection: close');
  expect((JSON.parse(body) as { error: { code: string } }).error.code).toBe(code);
});

test.each([
  ['HPE_HEADER_OVERFLOW', 'HEAD / HTTP/1.1\r\n'],
  ['HPE_HEADER_OVERFLOW', 'xxxxxxxxxx'],
  ['HPE_INVALID_HEADER_TOKEN', 'HEAD / HTTP/1.1\r\n'],
])('%s has no body if the request may be a HEAD (%j)', (parser, packet) => {
  const [head = '', body] = rawErrorResponse(fromClientError(parser, 4096), Buffer.from(packet)).split(
    '\r\n\r\n',
  );
  expect([body, head.includes('Content-Length: 0')]).toEqual(['', true]);
});
