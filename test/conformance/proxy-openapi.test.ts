/** The OpenAPI document describes every route, status and error code of the proxy. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ERROR_CODES, type ErrorCode } from '../../src/errors.js';
import { type ProxyBench, startProxyBench } from '../support/proxy-bench.js';

interface Operation {
  readonly operationId: string;
  readonly responses: Record<string, { readonly 'x-error-codes'?: readonly ErrorCode[] }>;
}

let bench: ProxyBench;
let paths: Record<string, Record<string, Operation>>;
beforeAll(async () => {
  bench = await startProxyBench();
  ({ paths } = (await (await bench.ask('/openapi.json')).json()) as { paths: typeof paths });
});
afterAll(() => bench.stop());

test('the proxy and its inline routes are described, method by method', () => {
  expect(Object.keys(paths['/v1/proxy'] ?? {})).toEqual(['post', 'patch']);
  expect(Object.keys(paths['/v1/proxy/{id}'] ?? {}).sort()).toEqual([
    'delete',
    'get',
    'head',
    'patch',
    'post',
  ]);
  for (const path of ['/r/{route}', '/r/{route}/{path}']) {
    expect(Object.keys(paths[path] ?? {}).sort()).toEqual(['delete', 'get', 'head', 'patch', 'post', 'put']);
  }
});

test('every code is listed under its own status', () => {
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  for (const { operationId, responses } of operations) {
    for (const [status, { 'x-error-codes': codes = [] }] of Object.entries(responses)) {
      for (const code of codes) expect(ERROR_CODES[code].status, operationId).toBe(Number(status));
    }
  }
});

test('every error code of the proxy is documented where it can occur', () => {
  const codes = new Set(
    Object.entries(paths)
      .filter(([path]) => path.startsWith('/v1/proxy'))
      .flatMap(([, item]) => Object.values(item))
      .flatMap(({ responses }) =>
        Object.values(responses).flatMap((response) => response['x-error-codes'] ?? []),
      ),
  );
  for (const code of [
    'MISSING_SECRET',
    'INVALID_SECRET',
    'SIGNATURE_EXPIRED',
    'SIGNATURE_INVALID',
    'MISSING_SIGNATURE',
    'MISSING_UPSTREAM_URL',
    'MISSING_UPSTREAM_METHOD',
    'INVALID_UPSTREAM_METHOD',
    'INVALID_ACTION',
    'REDIRECT_NOT_ALLOWED',
    'UPSTREAM_NOT_ALLOWED',
    'STREAM_NOT_FOUND',
    'UPSTREAM_TIMEOUT',
    'UPSTREAM_BODY_TIMEOUT',
  ] as const)
    expect(codes).toContain(code);
});
