/** What the stores make of the rows of their statements. The contract suites run the statements on a real server. */
import { expect, test } from 'vitest';
import { scriptedPostgres } from '../../../test/support/scripted-postgres.js';
import { PostgresAuditStore } from './postgres-audit-store.js';
import { PostgresIdempotencyStore } from './postgres-idempotency-store.js';
import { PostgresTenantStore } from './postgres-tenant-store.js';
import { PostgresWebhookStore } from './postgres-webhook-store.js';

type Answers = Parameters<typeof scriptedPostgres>[0];
const TIME = new Date(5_000);
const MAINTENANCE = { statementMs: 30_000 };

const webhookRow = {
  ...{ webhook_id: 'w', tenant_id: 't', url: 'https://a.example/', events_json: ['hello.done'], key_id: 'k' },
  ...{ created_at: TIME, last_status: null, last_at: null },
};
const NEW_WEBHOOK = {
  ...{
    webhookId: 'w',
    tenantId: 't',
    url: 'https://a.example/',
    events: ['hello.done' as const],
    keyId: 'k',
  },
};

const CREATES: readonly (readonly [string, boolean, Answers])[] = [
  ['created', false, { insert_webhook: [[{}]] }],
  ['exists', false, { select_webhook: [[webhookRow]] }],
  ['full', false, {}],
  ['created', true, { select_webhook: [[webhookRow]] }],
  ['full', true, {}],
];

test.each(CREATES)(
  'a webhook is %s (after a lost response: %j)',
  async (outcome, mayHaveCommitted, answers) => {
    const { database } = scriptedPostgres(answers, { mayHaveCommitted });
    expect(await new PostgresWebhookStore(database).create(NEW_WEBHOOK, 3)).toBe(outcome);
  },
);

test.each([
  [true, false, [{}]],
  [false, false, []],
  [true, true, []],
])(
  'a webhook’s removal: %j (after a lost response: %j)',
  async (removed, mayHaveCommitted, delete_webhook) => {
    const { database } = scriptedPostgres({ delete_webhook: [delete_webhook] }, { mayHaveCommitted });
    expect(await new PostgresWebhookStore(database).remove('t', 'w')).toBe(removed);
  },
);

test('a delivery that is tried again is due, and one that is settled elsewhere is not', async () => {
  const { database, paramsOf } = scriptedPostgres({ settle_delivery: [[{}], []] });
  const webhooks = new PostgresWebhookStore(database);
  const settle = (outcome: 'again' | 'failed') =>
    webhooks.settle({ deliveryId: 'd', attempt: 2, outcome, delayMs: 9, result: 'r' });
  expect([await settle('again'), await settle('failed')]).toEqual([true, false]);
  expect(paramsOf('settle_delivery')).toEqual([
    ['d', 2, 'due', 9, 'r'],
    ['d', 2, 'failed', 9, 'r'],
  ]);
});

test('a webhook that is not there is undefined', async () => {
  const { database } = scriptedPostgres({ select_webhook: [[webhookRow], []] });
  const webhooks = new PostgresWebhookStore(database);
  expect(await webhooks.get('t', 'w')).toMatchObject({ webhookId: 'w', createdAt: 5_000 });
  expect(await webhooks.get('t', 'w')).toBeUndefined();
});

test('cleanup may take longer than a request', async () => {
  const { database, transactions, names } = scriptedPostgres({});
  await new PostgresWebhookStore(database).prune({ olderThanMs: 1, limit: 2 });
  await new PostgresIdempotencyStore(database).prune(2);
  await new PostgresAuditStore(database).putPart({ jobId: 'j', leaseToken: 1 }, 'p', 'x');
  expect(transactions).toEqual([MAINTENANCE, MAINTENANCE, MAINTENANCE]);
  expect(names()).toHaveLength(3);
});

const REQUEST = {
  ...{
    tenantId: 't',
    key: 'k',
    fingerprint: 'f',
    owner: 'o',
    newId: 'n',
    inFlightMs: 1,
    keepMs: 2,
    keysMax: 3,
  },
};
const answered = { fingerprint: 'f', answer_status: 201, answer_location: null, answer_body: 'b' };
const KEYS: readonly (readonly [string, Answers, expected: object])[] = [
  ['begun', { begin_key: [[{ new_id: 'n' }]] }, { kind: 'begun', id: 'n' }],
  ['refused', {}, { kind: 'full' }],
  ['that of another body', { select_key: [[{ ...answered, fingerprint: 'g' }]] }, { kind: 'mismatch' }],
  ['in flight', { select_key: [[{ ...answered, answer_status: null }]] }, { kind: 'in_flight' }],
  [
    'replayed',
    { select_key: [[answered]] },
    { kind: 'replayed', response: { status: 201, location: null, body: 'b' } },
  ],
];

test.each(KEYS)('a key is %s', async (_name, answers, expected) => {
  const { database } = scriptedPostgres(answers);
  expect(await new PostgresIdempotencyStore(database).begin(REQUEST)).toEqual(expected);
});

test('a part of an audit is written only by its holder', async () => {
  const lease = { jobId: 'j', leaseToken: 1 };
  const lost = scriptedPostgres({});
  expect(await new PostgresAuditStore(lost.database).putPart(lease, 'p', 'x')).toBe(false);
  expect(lost.names()).toEqual(['hold_audit']);
  const held = scriptedPostgres({ hold_audit: [[{ audit_id: 'a' }]] });
  expect(await new PostgresAuditStore(held.database).putPart(lease, 'p', 'x\0')).toBe(true);
  expect(held.sent.slice(1)).toEqual([
    { name: 'delete_audit_part', params: ['a', 'p'] },
    { name: 'insert_audit_part', params: ['a', 'p', ['x\ufffd']] },
  ]);
});

test('a part is joined from its pieces, and a result needs a row', async () => {
  const pieces = [{ body: 'x' }, { body: 'y' }];
  const { database } = scriptedPostgres({ select_audit_part: [pieces, []], update_audit_result: [[{}], []] });
  const audits = new PostgresAuditStore(database);
  const part = () => audits.getPart({ tenantId: 't', auditId: 'a' }, 'p');
  expect([await part(), await part(), await audits.get('t', 'a')]).toEqual(['xy', undefined, undefined]);
  const set = () => audits.setResult({ jobId: 'j', leaseToken: 1 }, { score: 1, reportRef: 'r' });
  expect([await set(), await set()]).toEqual([true, false]);
});

test('a list of audits is of one status or of all, from its beginning or after an audit', async () => {
  const { database, sent } = scriptedPostgres({});
  const audits = new PostgresAuditStore(database);
  const after = { createdAt: 7, auditId: 'z' };
  for (const filter of [{}, { after }, { status: 'done' as const }, { status: 'done' as const, after }]) {
    await audits.list('t', { limit: 3, ...filter });
  }
  expect(new Set(sent.map(({ name }) => name)).size).toBe(4);
  expect(sent.map(({ params }) => params)).toEqual([
    ['t', 3],
    ['t', 3, 7, 'z'],
    ['t', 3, 'done'],
    ['t', 3, 7, 'z', 'done'],
  ]);
});

test('a tenant that is not there is undefined', async () => {
  const { database } = scriptedPostgres({});
  const tenants = new PostgresTenantStore(database);
  const made = { id: 'i', slug: 's', name: 'n', quotas: {} };
  expect([await tenants.create(made), await tenants.bySlug('s'), await tenants.setQuotas('s', {})]).toEqual([
    ...[undefined, undefined, undefined],
  ]);
});
