/**
 * What every engine stores for `Idempotency-Key`. The suite never waits: an attempt with an in-flight time of 0 is
 * already dead.
 */
import { beforeAll, expect, test } from 'vitest';
import type { IdempotencyRequest, IdempotencyStore } from '../../src/jobs/index.js';
import { hashParts } from '../../src/net/index.js';
import { uuidV7 } from '../../src/uuid.js';

export interface IdempotencyBench {
  readonly store: IdempotencyStore;
  newTenant(): Promise<string>;
}

const HOUR_MS = 3_600_000;
const RESPONSE = { status: 201, location: '/api/jobs/1', body: '{"jobId":"1"}' };

export function idempotencyContract(bench: () => IdempotencyBench): void {
  let tenantId: string;
  beforeAll(async () => {
    tenantId = await bench().newTenant();
  });

  const request = (fields: Partial<IdempotencyRequest> = {}): IdempotencyRequest => ({
    tenantId,
    key: crypto.randomUUID(),
    fingerprint: hashParts(['POST', '/api/jobs', '{}']),
    owner: uuidV7(Date.now()),
    newId: uuidV7(Date.now()),
    inFlightMs: HOUR_MS,
    keepMs: HOUR_MS,
    keysMax: 1_000,
    ...fields,
  });

  test('the first attempt starts; others are refused while it is in progress and then get its response', async () => {
    const first = request();
    expect(await bench().store.begin(first)).toEqual({ kind: 'begun', id: first.newId });
    const again = request({ key: first.key });
    expect(await bench().store.begin(again)).toEqual({ kind: 'in_flight' });
    await bench().store.finish(first, RESPONSE);
    expect(await bench().store.begin(again)).toEqual({ kind: 'replayed', response: RESPONSE });
  });

  test('a different body under the same key is a mismatch, before and after the response', async () => {
    const first = request();
    await bench().store.begin(first);
    const other = request({ key: first.key, fingerprint: hashParts(['another']) });
    expect(await bench().store.begin(other)).toEqual({ kind: 'mismatch' });
    await bench().store.finish(first, RESPONSE);
    expect(await bench().store.begin(other)).toEqual({ kind: 'mismatch' });
  });

  test('a dead attempt is taken over under its id, and its late writes are ignored', async () => {
    const dead = request({ inFlightMs: 0 });
    expect(await bench().store.begin(dead)).toEqual({ kind: 'begun', id: dead.newId });
    const successor = request({ key: dead.key });
    expect(await bench().store.begin(successor)).toEqual({ kind: 'begun', id: dead.newId });
    await bench().store.finish(dead, { ...RESPONSE, status: 500 });
    await bench().store.abandon(dead);
    expect(await bench().store.begin(request({ key: dead.key }))).toEqual({ kind: 'in_flight' });
    await bench().store.finish(successor, RESPONSE);
    expect(await bench().store.begin(request({ key: dead.key }))).toEqual({
      kind: 'replayed',
      response: RESPONSE,
    });
  });

  test('only one of many callers takes over a dead attempt', async () => {
    const dead = request({ inFlightMs: 0 });
    await bench().store.begin(dead);
    const successors = Array.from({ length: 8 }, () => request({ key: dead.key }));
    const outcomes = await Promise.all(successors.map((successor) => bench().store.begin(successor)));
    expect(outcomes.filter(({ kind }) => kind === 'begun')).toEqual([{ kind: 'begun', id: dead.newId }]);
    expect(outcomes.filter(({ kind }) => kind === 'in_flight')).toHaveLength(7);
  });

  test('an abandoned key can be tried again; an expired one is forgotten', async () => {
    const first = request();
    await bench().store.begin(first);
    await bench().store.abandon(first);
    expect(await bench().store.begin(request({ key: first.key }))).toMatchObject({ kind: 'begun' });
    const short = request({ keepMs: 0 });
    await bench().store.begin(short);
    await bench().store.finish(short, RESPONSE);
    const next = request({ key: short.key });
    expect(await bench().store.begin(next)).toEqual({ kind: 'begun', id: next.newId });
  });

  test('a tenant has a limit of keys, and its keys are its own', async () => {
    const other = await bench().newTenant();
    const first = request({ tenantId: other, keysMax: 1 });
    expect(await bench().store.begin(first)).toMatchObject({ kind: 'begun' });
    expect(await bench().store.begin(request({ tenantId: other, keysMax: 1 }))).toEqual({ kind: 'full' });
    expect(await bench().store.begin(request({ key: first.key }))).toMatchObject({ kind: 'begun' });
  });
}
