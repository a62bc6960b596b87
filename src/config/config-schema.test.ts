import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { configSchema } from './config-schema.js';

const published = new URL('../../schema/sonde.config.schema.json', import.meta.url);

test('the published schema is up to date (node scripts/write-schema.mjs)', () => {
  expect(JSON.parse(readFileSync(published, 'utf8'))).toEqual(JSON.parse(JSON.stringify(configSchema())));
});

test('it closes every object and describes every setting', () => {
  const schema = JSON.parse(JSON.stringify(configSchema()));
  expect(schema.additionalProperties).toBe(false);
  for (const group of ['server', 'auth', 'net', 'log']) {
    expect(schema.properties[group].additionalProperties).toBe(false);
    for (const property of Object.values<{ description?: string }>(schema.properties[group].properties)) {
      expect(property.description).toMatch(/Flag --[\w-]+, variable SONDE_\w+\.$/);
    }
  }
});
