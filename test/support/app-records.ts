/** The record routes on real stores in a SQLite file, so that an app under test has all of them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AppDeps } from '../../src/api/app-env.js';
import { createAppRecords } from '../../src/api/records.js';
import type { AuditStore } from '../../src/audits/index.js';
import type { ComparisonStore, SuiteStore } from '../../src/compare/index.js';
import {
  createWebhookKey,
  type IdempotencyStore,
  type JobStore,
  JobWakes,
  type TenantStore,
  type WebhookStore,
} from '../../src/jobs/index.js';
import { createPolicy, createRedactor } from '../../src/net/index.js';
import { openDatabase } from '../../src/runtimes/node/sqlite/open-database.js';
import { createRecordStores } from '../../src/stores/sqlite/record-stores.js';
import { asyncPort } from './async-port.js';

export interface OpenAppRecords extends Required<Pick<AppDeps, 'records' | 'comparisons'>> {
  close(): void;
}

export function openAppRecords(): OpenAppRecords {
  const folder = mkdtempSync(join(tmpdir(), 'sonde-app-records-'));
  const database = openDatabase(join(folder, 'records.db'));
  const stores = createRecordStores(database, Date.now);
  const webhookStore = asyncPort<WebhookStore>(stores.webhooks);
  const key = createWebhookKey('a-key-for-the-webhooks-of-these-tests-0');
  return {
    records: createAppRecords({
      jobs: { store: asyncPort<JobStore>(stores.jobs), news: new JobWakes(), clock: Date.now },
      tenants: asyncPort<TenantStore>(stores.tenants),
      idempotency: asyncPort<IdempotencyStore>(stores.idempotency),
      audits: asyncPort<AuditStore>(stores.audits),
      webhooks: { store: webhookStore, key, refusal: () => undefined },
      policy: createPolicy({}),
      redactor: createRedactor(),
    }),
    comparisons: {
      store: asyncPort<ComparisonStore>(stores.comparisons),
      suites: asyncPort<SuiteStore>(stores.suites),
      seal: async () => new Uint8Array(),
      redactUrl: (url) => url,
    },
    close() {
      database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
