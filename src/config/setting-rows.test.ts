import { expect, test } from 'vitest';
import { parseBytes, parseMs } from './parse-units.js';
import { envName, SETTING_ROWS, type SettingRow } from './setting-rows.js';
import { SETTING_SCHEMAS } from './settings.js';

const rows: readonly SettingRow[] = SETTING_ROWS;

test('every key, flag and variable occurs once', () => {
  for (const names of [rows.map((row) => row.key), rows.map((row) => row.flag), rows.map(envName)]) {
    expect(new Set(names).size).toBe(rows.length);
  }
  expect(rows.every((row) => /^[a-z]+(-[a-z]+)*$/.test(row.flag))).toBe(true);
});

test.each(SETTING_ROWS.map((row) => [row.key, row] as const))(
  'the default of %s passes its schema',
  (_key, row) => {
    const { default: fallback, choices }: SettingRow = row;
    if (fallback !== undefined) expect(SETTING_SCHEMAS[row.key].safeParse(fallback).success).toBe(true);
    for (const choice of choices ?? []) expect(SETTING_SCHEMAS[row.key].safeParse(choice).success).toBe(true);
    if (choices) expect(SETTING_SCHEMAS[row.key].safeParse('other').success).toBe(false);
  },
);

const accepts = (key: (typeof SETTING_ROWS)[number]['key'], value: unknown) =>
  SETTING_SCHEMAS[key].safeParse(value).success;

const BOUNDED = SETTING_ROWS.flatMap(({ key, form }) => {
  const [, kind = '', min = '', max = ''] =
    /^a (time|size|whole number) from (\S+) to (\S+)/.exec(form) ?? [];
  const parse = kind === 'time' ? parseMs : kind === 'size' ? parseBytes : Number;
  return kind === '' ? [] : [[key, parse(min) ?? 0, parse(max) ?? 0] as const];
});

test.each(BOUNDED)('%s takes what its form says, from %d to %d', (key, min, max) => {
  expect([min, max].map((each) => accepts(key, each))).toEqual([true, true]);
  expect([min - 1, max + 1, min + 0.5].map((each) => accepts(key, each))).toEqual([false, false, false]);
});

const TEXTS = SETTING_ROWS.flatMap(({ key, form }) => {
  const [, characters] = /of 1 to (\d+) characters$/.exec(form) ?? [];
  return characters === undefined ? [] : [[key, Number(characters)] as const];
});

test.each(TEXTS)('%s takes text of 1 to %d characters, as its form says', (key, max) => {
  expect(['', 'x', 'x'.repeat(max), 'x'.repeat(max + 1)].map((each) => accepts(key, each))).toEqual([
    ...[false, true, true, false],
  ]);
});

test.each(['proxy.signingSecret', 'jobs.sealingSecret'] as const)('%s takes one or two secrets', (key) => {
  const secrets = (count: number, bytes = 32) => Array.from({ length: count }, () => 'x'.repeat(bytes));
  expect([0, 1, 2, 3].map((count) => accepts(key, secrets(count)))).toEqual([false, true, true, false]);
  expect(accepts(key, secrets(1, 31))).toBe(false);
});

test('a list takes up to 256 entries', () => {
  const lists = SETTING_ROWS.filter(({ takes }) => takes === 'list').map(({ key }) => key);
  const entry = { 'server.trustProxy': '10.0.0.1', 'net.dnsServers': '10.0.0.1' } as Record<string, string>;
  for (const key of lists.filter((each) => !each.endsWith('Secret'))) {
    const entries = (count: number) => Array<string>(count).fill(entry[key] ?? 'https://a.example');
    expect([key, accepts(key, entries(256)), accepts(key, entries(257))]).toEqual([key, true, false]);
  }
});

test('settings that may contain a credential are never shown', () => {
  expect(rows.filter(({ secret }) => secret).map(({ key }) => key)).toEqual([
    ...['auth.jwtSecret', 'auth.serviceTokens', 'jobs.databaseUrl', 'jobs.webhookSecret'],
    ...['jobs.sealingSecret', 'proxy.signingSecret', 'explain.key', 'client.token'],
  ]);
});
