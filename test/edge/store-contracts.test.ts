/** Runs the store contracts against SQLite in a Durable Object. */
import type { Miniflare } from 'miniflare';
import { request } from 'undici';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AuditStore } from '../../src/audits/index.js';
import type { ComparisonStore, SuiteStore } from '../../src/compare/index.js';
import type { JobStore, TenantStore } from '../../src/jobs/index.js';
import type { ProxyStore } from '../../src/proxy/index.js';
import { unwrap, type WireResult } from '../../src/runtimes/cloudflare/wire-faults.js';
import type { StreamStore } from '../../src/streams/index.js';
import { type AuditStoreBench, auditStoreContract } from '../contract/audit-store-contract.js';
import { comparisonStoreContract } from '../contract/comparison-store-contract.js';
import { jobStoreContract } from '../contract/job-store-contract.js';
import { describeProxyStore } from '../contract/proxy-store-contract.js';
import { streamStoreContract } from '../contract/stream-store-contract.js';
import { suiteStoreContract } from '../contract/suite-store-contract.js';
import { startEdgeFixture } from '../support/edge-fixture.js';
import { type EngineCall, fromText, toText } from '../support/wire-text.js';

let workerd: Miniflare;
let url: URL;
let objects = 0;

beforeAll(async () => {
  workerd = await startEdgeFixture('engines', { objects: { ENGINES: 'EngineObject' } });
  url = await workerd.ready;
});
afterAll(() => workerd.dispose());

type Call = (method: string, args: readonly unknown[]) => Promise<WireResult<unknown>>;

/** Returns a port on which every method is a call. */
function calling<Port extends object>(call: Call): Port {
  return new Proxy({} as Port, {
    // A port is not a promise, but every other property is a method.
    get: (_target, method) =>
      method === 'then' ? undefined : (...args: unknown[]) => unwrap(call(String(method), args)),
  });
}

/** Opens a new object, which can be made to lose its memory. */
function openObject() {
  const object = `object ${objects++}`;
  // Uses its own requests: Miniflare's bridge reuses connections that workerd may have closed. `fetch` takes longer.
  const reach = async (method: EngineCall['method'], ...args: readonly unknown[]) => {
    const sent = await request(url, { method: 'POST', body: toText({ object, method, args }) });
    const text = await sent.body.text();
    if (sent.statusCode !== 200) throw new Error(text);
    return fromText(text) as WireResult<unknown>;
  };
  const port = <Port extends object>(kind: string): Port =>
    calling<Port>((method, args) => reach('call', kind, method, args));
  const forget = () => reach('forget').catch(() => undefined);
  return { port, forget, reach };
}

describe('SQLite in a Durable Object', () => {
  streamStoreContract(async () => {
    const { port, forget } = openObject();
    return {
      store: port<StreamStore>('streams'),
      async reopen() {
        await forget();
        return port<StreamStore>('streams');
      },
      stop: async () => undefined,
    };
  });

  test('a row of more than 1 MiB is refused, whatever the local engine would accept', async () => {
    const { port } = openObject();
    const database = port<{ run(sql: string, params: unknown[]): Promise<void> }>('database');
    await database.run('CREATE TABLE t (a, b)', []);
    const insert = (...params: unknown[]) => database.run('INSERT INTO t VALUES (?, ?)', params);
    await insert(new Uint8Array(1024 ** 2 - 8), 1);
    for (const params of [
      [new Uint8Array(1024 ** 2), 'a'],
      ['ä'.repeat(600_000), null],
    ]) {
      await expect(insert(...params)).rejects.toMatchObject({
        code: 'STORAGE_ERROR',
        details: { max: 1024 ** 2 },
      });
    }
  });
});

describe('comparisons in a Durable Object', () => {
  comparisonStoreContract(async ({ clock, ...limits }) => {
    const { reach } = openObject();
    const store = calling<ComparisonStore>((method, args) =>
      reach('compare', { ...limits, now: clock() }, method, args),
    );
    return { store, stop: async () => undefined };
  });
});

describe('suites in a Durable Object', () => {
  suiteStoreContract(async ({ clock }) => {
    const { reach } = openObject();
    const store = calling<SuiteStore>((method, args) => reach('suites', clock(), method, args));
    return { store, stop: async () => undefined };
  });
});

describe('jobs in a Durable Object', () => {
  jobStoreContract(async () => {
    const { port } = openObject();
    return {
      jobs: port<JobStore>('jobs'),
      tenants: port<TenantStore>('tenants'),
      stop: async () => undefined,
    };
  });
});

describe('audits in a Durable Object', () => {
  let stores: AuditStoreBench;
  beforeAll(async () => {
    const { port } = openObject();
    stores = {
      audits: port<AuditStore>('audits'),
      jobs: port<JobStore>('jobs'),
      tenants: port<TenantStore>('tenants'),
    };
  });
  auditStoreContract(() => stores);
});

let current: { store: ProxyStore; reopen(): Promise<ProxyStore> };
beforeEach(async () => {
  const { port, forget } = openObject();
  const reopen = async () => {
    await forget();
    return port<ProxyStore>('proxy');
  };
  current = { store: port<ProxyStore>('proxy'), reopen };
});
describeProxyStore('in a Durable Object', () => current);
