import { expect, test } from 'vitest';
import type { EdgeEnv } from './edge-env.js';
import { readEdgeSettings } from './edge-settings.js';
import { bucketOf, objectIdOf } from './placement.js';

const SECRET = 'a secret for tests only, 43 characters long';
const PREVIOUS = 'the secret before, which is long enough too';

const read = (variables: Record<string, unknown>) =>
  readEdgeSettings({ SONDE_SECRET: SECRET, ...variables } as unknown as EdgeEnv);

const codeOf = (act: () => unknown) => {
  try {
    act();
    return 'none';
  } catch (error) {
    return (error as { message: string }).message;
  }
};

test('a previous secret gives a second key for every purpose, to open with', () => {
  const { keyFor, keysFor } = read({ SONDE_SECRET_PREVIOUS: PREVIOUS }).edge;
  const before = read({ SONDE_SECRET: PREVIOUS }).edge;
  expect(keysFor('seal')).toEqual([keyFor('seal'), before.keyFor('seal')]);
  expect(read({}).edge.keysFor('seal')).toEqual([keyFor('seal')]);
  expect(codeOf(() => read({ SONDE_SECRET_PREVIOUS: 'short' }))).toMatch(/^SONDE_SECRET_PREVIOUS: a secret/);
});

test('a jurisdiction is one that exists, and has its own bucket', () => {
  expect(codeOf(() => read({ SONDE_JURISDICTION: 'mars' }))).toBe(
    'SONDE_JURISDICTION: expected one of eu, fedramp, or nothing',
  );
  expect(codeOf(() => read({ SONDE_JURISDICTION: 'eu', COLD_SEGMENTS: {} }))).toBe(
    'SONDE_JURISDICTION: bind the R2 bucket of this jurisdiction as COLD_SEGMENTS_EU',
  );
  expect(codeOf(() => read({ SONDE_JURISDICTION: 'eu', COLD_SEGMENTS_EU: {} }))).toBe('none');
});

test('every object and the bucket are looked for in the jurisdiction', () => {
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

test('bodies of requests are so small that three fit into an isolate', () => {
  expect(codeOf(() => read({ SONDE_BODY_BYTES_MAX: '17MiB' }))).toMatch(/at most 16777216 bytes/);
  expect(read({ SONDE_BODY_BYTES_MAX: '16MiB' }).server.bodyBytesMax).toBe(16 * 1024 ** 2);
});
