/** The schemas of the table of settings (`setting-rows.ts`), and the types that derive from them. */
import type * as z from 'zod';
import { SETTING_ROWS, type SettingGroup, type SettingKey } from './setting-rows.js';
import * as value from './value-schemas.js';

type Rows = (typeof SETTING_ROWS)[number];
type Row<K extends SettingKey> = Extract<Rows, { key: K }>;
type Schema<K extends SettingKey> = ReturnType<Row<K>['schema']>;

export const SETTING_SCHEMAS = Object.fromEntries(
  SETTING_ROWS.map((row) => [row.key, row.schema(value)]),
) as { readonly [K in SettingKey]: Schema<K> };

/** The value of one setting; never undefined if its row has a default. */
type SettingValue<K extends SettingKey> =
  Row<K> extends { default: unknown } ? z.output<Schema<K>> : z.output<Schema<K>> | undefined;

type NameIn<G extends string, K extends string> = K extends `${G}.${infer N}` ? N : never;

/** Every setting, resolved and typed: `settings.server.port`. */
export type Settings = {
  readonly [G in SettingGroup]: { readonly [K in SettingKey as NameIn<G, K>]: SettingValue<K> };
};

/** The content of a configuration file. */
export type SondeConfig = { $schema?: string } & {
  [G in SettingGroup]?: { [K in SettingKey as NameIn<G, K>]?: z.input<Schema<K>> };
};
