import type { Miniflare } from 'miniflare';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AuditStore } from '../../src/audits/index.js';
import type { ComparisonStore, SuiteStore } from '../../src/compare/index.js';
import type { JobStore, TenantStore } from '../../src/jobs/index.js';
import type { ProxyStore } from '../../src/proxy/index.js';
import { received, type WireResult } from '../../src/runtimes/cloudflare/wire-faults.js';
import type { StreamStore } from '../../src/streams/index.js';
import { type AuditStoreBench, auditStoreContract } from '../contract/audit-store-contract.js';
import { comparisonStoreContract } from '../contract/comparison-store-contract.js';
import { jobStoreContract } from '../contract/job-store-contract.js';
import { describeProxyStore } from '../contract/proxy-store-contract.js';
import { streamStoreContract } from '../contract/stream-store-contract.js';
import { suiteStoreContract } from '../contract/suite-store-contract.js';
import { startEdgeFixture } from '../support/edge-fixture.js';
import { unpackBytes } from '../support/packed-bytes.js';

interface EngineStub {
  call(port: string, method: string, args: readonly unknown[]): Promise<WireResult<unknown>>;
  compare(settings: object, method: string, args: readonly unknown[]): Promise<WireResult<unknown>>;
  suites(now: number, method: string, args: readonly unknown[]): Promise<WireResult<unknown>>;
  forget(): Promise<void>;
}

let workerd: Miniflare;
let objects = 0;

beforeAll(async () => {
  workerd = await startEdgeFixture('engines', { objects: { ENGINES: 'EngineObject' } });
});
afterAll(() => workerd.dispose());

/** A port whose every method is a call. */
function calling<Port extends object>(
  call: (method: string, args: readonly unknown[]) => Promise<WireResult<unknown>>,
): Port {
  return new Proxy({} as Port, {
    // A port is no promise, though everything else is a method of it.
    get: (_target, method) =>
      method === 'then'
        ? undefined
        : async (...args: unknown[]) => unpackBytes(await received(call(String(method), args))),
  });
}

/** A new object, and how to reach it again once it has lost its memory. */
async function openObject() {
  const name = `object ${objects++}`;
  const namespace = await workerd.getDurableObjectNamespace('ENGINES');
  const reach = () => namespace.get(namespace.idFromName(name)) as unknown as EngineStub;
  const port = <Port extends object>(kind: string): Port => {
    const stub = reach();
    return calling<Port>((method, args) => stub.call(kind, method, args));
  };
  const forget = () =>
    reach()
      .forget()
      .catch(() => undefined);
  return { port, forget, reach };
}

describe('SQLite in a Durable Object', () => {
  streamStoreContract(async () => {
    const { port, forget } = await openObject();
    return {
      store: port<StreamStore>('streams'),
      async reopen() {
        await forget();
        return port<StreamStore>('streams');
      },
      stop: async () => undefined,
    };
  });

  test('a row of more than 1 MiB is refused, whatever the local engine would take', async () => {
    const { port } = await openObject();
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
    const { reach } = await openObject();
    const stub = reach();
    const store = calling<ComparisonStore>((method, args) =>
      stub.compare({ ...limits, now: clock() }, method, args),
    );
    return { store, stop: async () => undefined };
  });
});

describe('suites in a Durable Object', () => {
  suiteStoreContract(async ({ clock }) => {
    const { reach } = await openObject();
    const stub = reach();
    const store = calling<SuiteStore>((method, args) => stub.suites(clock(), method, args));
    return { store, stop: async () => undefined };
  });
});

describe('jobs in a Durable Object', () => {
  jobStoreContract(async () => {
    const { port } = await openObject();
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
    const { port } = await openObject();
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
  const { port, forget } = await openObject();
  const reopen = async () => {
    await forget();
    return port<ProxyStore>('proxy');
  };
  current = { store: port<ProxyStore>('proxy'), reopen };
});
describeProxyStore('in a Durable Object', () => current);
