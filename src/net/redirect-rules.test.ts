import { expect, test } from 'vitest';
import { locationOf, nextRequest } from './redirect-rules.js';

const body = new Uint8Array([1]);
const headers = [
  ['authorization', 'Bearer x'],
  ['content-type', 'a/b'],
  ['accept', '*/*'],
  ['x-api-key', 'k'],
] as const;

test.each([
  ['GET', 301, 'GET'],
  ['POST', 301, 'GET'],
  ['POST', 302, 'GET'],
  ['PUT', 302, 'PUT'],
  ['POST', 303, 'GET'],
  ['PUT', 303, 'GET'],
  ['HEAD', 303, 'HEAD'],
  ['POST', 307, 'POST'],
  ['DELETE', 308, 'DELETE'],
])('%s after %i becomes %s', (method, status, expected) => {
  expect(nextRequest({ method, headers: [] }, status, true).method).toBe(expected);
});

test('drops the content headers along with the body', () => {
  const next = nextRequest({ method: 'POST', headers, body }, 303, true);
  expect(next).toEqual({ method: 'GET', headers: headers.filter(([name]) => name !== 'content-type') });
});

test('sends only harmless headers to another origin', () => {
  expect(nextRequest({ method: 'GET', headers }, 302, false).headers).toEqual([['accept', '*/*']]);
});

test('resends a body only to the same origin, and only if it is not a stream', () => {
  expect(nextRequest({ method: 'POST', headers, body }, 307, true).body).toBe(body);
  const errorOf = (why: string) =>
    expect.objectContaining({ code: 'redirect_body', message: expect.stringContaining(why) });
  expect(() => nextRequest({ method: 'POST', headers, body }, 307, false)).toThrow(errorOf('another origin'));
  const stream = (async function* () {})();
  expect(() => nextRequest({ method: 'POST', headers, body: stream }, 308, true)).toThrow(
    errorOf('cannot be sent twice'),
  );
});

const from = new URL('https://a.com/dir/page#part');

test.each([
  ['/x', 'https://a.com/x#part'],
  ['x', 'https://a.com/dir/x#part'],
  ['//b.com/x', 'https://b.com/x#part'],
  ['https://b.com/x#own', 'https://b.com/x#own'],
  ['#', 'https://a.com/dir/page#'],
  ['  /padded\t', 'https://a.com/padded#part'],
  ['/\u00c3\u00bc', 'https://a.com/%C3%BC#part'],
  ['/\u65e5', 'https://a.com/%E6%97%A5#part'],
  ['/\u00fc', 'https://a.com/%C3%BC#part'],
])('Location %j leads to %s', (value, expected) => {
  expect(locationOf([value], from)).toEqual({ url: expected });
});

test('unusable Locations have their own error codes', () => {
  expect(() => locationOf([], from)).toThrow(expect.objectContaining({ code: 'redirect_missing_location' }));
  expect(() => locationOf([''], from)).toThrow(
    expect.objectContaining({ code: 'redirect_missing_location' }),
  );
  expect(locationOf(['/a', '/b'], from).fault?.code).toBe('redirect_invalid_location');
  expect(locationOf(['https://['], from).fault?.code).toBe('redirect_invalid_location');
  for (const value of ['/a\tb', 'https://?', `/${'a'.repeat(9_000)}`])
    expect(locationOf([value], from).fault?.code).toBe('redirect_invalid_location');
  for (const value of ['ftp://b.com/', 'https://u@b.com/'])
    expect(locationOf([value], from)).toEqual({ url: value });
});
