import { expect, test } from 'vitest';
import { refuseFraming } from './refuse-framing.js';

test.each([
  [{}],
  [{ 'content-length': '4' }],
  [{ 'transfer-encoding': 'chunked' }],
  [{ 'transfer-encoding': 'CHUNKED ' }],
  [{ upgrade: 'h2c', 'content-length': '0' }],
])('accepts %j', (headers) => {
  expect(() => refuseFraming(new Headers(headers as Record<string, string>))).not.toThrow();
});

test.each([
  [{ 'content-length': '4', 'transfer-encoding': 'chunked' }],
  [{ 'transfer-encoding': 'chunked, chunked' }],
  [{ 'transfer-encoding': 'gzip' }],
])('refuses %j', (headers) => {
  expect(() => refuseFraming(new Headers(headers as Record<string, string>))).toThrow(
    expect.objectContaining({ code: 'INVALID_REQUEST' }),
  );
});

test.each([['WebSocket'], ['h2c, websocket']])('refuses Upgrade: %s', (upgrade) => {
  expect(() => refuseFraming(new Headers({ upgrade }))).toThrow(
    expect.objectContaining({ code: 'UPGRADE_NOT_SUPPORTED' }),
  );
});

test('refuses headers larger than Node accepts', () => {
  expect(() => refuseFraming(new Headers({ 'x-filler': 'x'.repeat(20_000) }))).toThrow(
    expect.objectContaining({ code: 'HEADERS_TOO_LARGE' }),
  );
  expect(() => refuseFraming(new Headers({ 'x-filler': 'x'.repeat(10_000) }))).not.toThrow();
});
