import { afterAll, expect, test } from 'vitest';
import { appForTests } from '../../test/support/app-for-tests.js';
import { openAppRecords } from '../../test/support/app-records.js';
import { Bench } from '../../test/support/subscription-bench.js';
import { ERROR_CODES, type ErrorCode } from '../errors.js';

interface Operation {
  operationId: string;
  summary: string;
  tags: string[];
  security?: Record<string, unknown>[];
  responses: Record<string, { description: string; 'x-error-codes'?: ErrorCode[] }>;
}

interface Document {
  openapi: string;
  info: { title: string; version: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, unknown>; securitySchemes: Record<string, unknown> };
}

const { streams, service: subscriptions } = new Bench();
const { close, records, comparisons } = openAppRecords();
afterAll(close);
const { app, operations: table } = appForTests({ streams, subscriptions, records, comparisons });
const document = (await (await app.request('/openapi.json')).json()) as Document;
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
);

test('is an OpenAPI 3.1 document of this version', () => {
  expect(document.openapi).toBe('3.1.0');
  expect(document.info).toMatchObject({ title: 'Sonde', version: '1.2.3' });
});

test('every reference resolves', () => {
  for (const [, pointer = ''] of JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
    const found = pointer
      .split('/')
      .reduce<unknown>((node, key) => (node as Record<string, unknown>)?.[key], document);
    expect(found, pointer).toBeDefined();
  }
});

test('every operation has a unique name, a description and documented statuses', () => {
  const ids = operations.map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { operation } of operations) {
    expect(operation.summary).not.toBe('');
    expect(operation.tags).toHaveLength(1);
    for (const scheme of operation.security ?? []) {
      for (const name of Object.keys(scheme))
        expect(document.components.securitySchemes).toHaveProperty(name);
    }
    for (const [status, { description, 'x-error-codes': codes = [] }] of Object.entries(
      operation.responses,
    )) {
      expect(description).not.toBe('');
      for (const code of codes) expect(ERROR_CODES[code].status).toBe(Number(status));
    }
  }
});

test('every route is documented, and every documented route exists', () => {
  const routed = app.routes
    .filter(({ method }) => method !== 'ALL')
    .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`);
  const listed = table.map(({ facts }) => `${facts.method} ${facts.path.replace('*}', '}')}`);
  const written = operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
  expect([...new Set([...routed, ...listed])].sort()).toEqual(written.sort());
});

test('every error code is in the document', () => {
  const text = JSON.stringify(document.components.schemas['Error']);
  for (const code of Object.keys(ERROR_CODES)) expect(text).toContain(`"${code}"`);
});
