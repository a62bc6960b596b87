import { expect, test } from 'vitest';
import type { EdgeEnv } from './edge-env.js';
import { readEdgeSettings } from './edge-settings.js';
import { bucketOf, objectIdOf } from './placement.js';

const SECRET = 'a secret for tests only, 43 characters long';
const PREVIOUS = 'the secret before, which is long enough too';

const read = (variables: Record<string, unknown>) =>
  readEdgeSettings({ SONDE_SECRET: SECRET, ...variables } as unknown as EdgeEnv);

const messageOf = (act: () => unknown) => {
  try {
    act();
    return 'none';
  } catch (error) {
    return (error as { message: string }).message;
  }
};

test('a previous secret adds a second key for every purpose', () => {
  const { keyFor, keysFor } = read({ SONDE_SECRET_PREVIOUS: PREVIOUS }).edge;
  const before = read({ SONDE_SECRET: PREVIOUS }).edge;
  expect(keysFor('seal')).toEqual([keyFor('seal'), before.keyFor('seal')]);
  expect(read({}).edge.keysFor('seal')).toEqual([keyFor('seal')]);
  expect(messageOf(() => read({ SONDE_SECRET_PREVIOUS: 'short' }))).toMatch(
    /^SONDE_SECRET_PREVIOUS: a secret/,
  );
});

test('a jurisdiction must exist and have its own bucket', () => {
  expect(messageOf(() => read({ SONDE_JURISDICTION: 'mars' }))).toBe(
    'SONDE_JURISDICTION: expected one of eu, fedramp, or nothing',
  );
  expect(messageOf(() => read({ SONDE_JURISDICTION: 'eu', COLD_SEGMENTS: {} }))).toBe(
    'SONDE_JURISDICTION: bind the R2 bucket of this jurisdiction as COLD_SEGMENTS_EU',
  );
  expect(messageOf(() => read({ SONDE_JURISDICTION: 'eu', COLD_SEGMENTS_EU: {} }))).toBe('none');
});

test('takes every object and the bucket from the jurisdiction', () => {
  const namespace = (place: string) => ({
    idFromName: (name: string) => `${place} ${name}`,
    jurisdiction: (named: string) => namespace(named),
  });
  const bindings = {
    HotBuffer: namespace('anywhere'),
    AuditLedger: namespace('anywhere'),
    ENVPAIR_DO: namespace('anywhere'),
  };
  const env = {
    ...bindings,
    COLD_SEGMENTS: 'bucket',
    COLD_SEGMENTS_EU: 'bucket in the EU',
  } as unknown as EdgeEnv;
  const inEurope = { ...env, SONDE_JURISDICTION: 'eu' };
  for (const binding of ['HotBuffer', 'AuditLedger', 'ENVPAIR_DO'] as const) {
    expect(objectIdOf(env, binding, 'x')).toBe('anywhere x');
    expect(objectIdOf(inEurope, binding, 'x')).toBe('eu x');
  }
  expect([bucketOf(env), bucketOf(inEurope)]).toEqual(['bucket', 'bucket in the EU']);
});

test('limits request bodies so that three fit into an isolate', () => {
  expect(messageOf(() => read({ SONDE_BODY_BYTES_MAX: '17MiB' }))).toMatch(/at most 16777216 bytes/);
  expect(read({ SONDE_BODY_BYTES_MAX: '16MiB' }).server.bodyBytesMax).toBe(16 * 1024 ** 2);
});
