/**
 * The JSON Schema of a configuration file, generated from the table of settings. It uses draft 7, which editors support
 * best. It is published as `schema/sonde.config.schema.json`; a test keeps the two equal.
 */
import * as z from 'zod';
import { envName, SETTING_ROWS, type SettingRow } from './setting-rows.js';
import { SETTING_SCHEMAS } from './settings.js';

type JsonObject = Record<string, unknown>;

function propertyOf(row: (typeof SETTING_ROWS)[number]): JsonObject {
  const { $schema: _, ...shape } = z.toJSONSchema(SETTING_SCHEMAS[row.key], {
    io: 'input',
    target: 'draft-7',
  });
  const { about, form, default: fallback }: SettingRow = row;
  const description = `${about}. Expected ${form}. Flag --${row.flag}, variable ${envName(row)}.`;
  return { description, ...(fallback === undefined ? {} : { default: fallback }), ...shape };
}

/** Routes must name the source of their credential unless the server runs without authentication. */
const CREDENTIALS = {
  if: {
    required: ['server'],
    properties: { server: { required: ['auth'], properties: { auth: { const: 'none' } } } },
  },
  else: {
    properties: { proxy: { properties: { routes: { additionalProperties: { required: ['credential'] } } } } },
  },
};

export function configSchema(): JsonObject {
  const groups: Record<string, { type: 'object'; additionalProperties: false; properties: JsonObject }> = {};
  for (const row of SETTING_ROWS) {
    const [group = '', name = ''] = row.key.split('.');
    groups[group] ??= { type: 'object', additionalProperties: false, properties: {} };
    groups[group].properties[name] = propertyOf(row);
  }
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Sonde configuration',
    type: 'object',
    additionalProperties: false,
    properties: { $schema: { type: 'string' }, ...groups },
    ...CREDENTIALS,
  };
}
