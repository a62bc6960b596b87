import { expect, test } from 'vitest';
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
