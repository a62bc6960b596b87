import { expect, test } from 'vitest';
import { createRedactor } from '../net/index.js';
import { SETTING_ROWS, type SettingRow } from './setting-rows.js';

test.each(SETTING_ROWS.map((row: SettingRow) => [row.key, row.form]))(
  'the expected form of %s survives redaction in an error message',
  (key, form) => {
    const message = `${key}: expected ${form}`;
    expect(createRedactor().text(message)).toBe(message);
  },
);
