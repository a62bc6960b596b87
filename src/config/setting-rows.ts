/**
 * The table of all settings. Everything else derives from it: the flag is `--` + `flag`, the variable `SONDE_` + the
 * flag in upper snake case, and the path in a configuration file is `key`.
 */
import { JOBS_ROWS, WORKER_ROWS } from './rows/job-rows.js';
import { CLIENT_ROWS, EXPLAIN_ROWS, NET_ROWS } from './rows/outbound-rows.js';
import { PROXY_ROWS } from './rows/proxy-rows.js';
import { AUTH_ROWS, LOG_ROWS, SERVER_ROWS } from './rows/server-rows.js';
import { AUDIT_ROWS, COMPARE_ROWS } from './rows/work-rows.js';
import type { SettingRow } from './setting-row.js';

export type { SettingRow } from './setting-row.js';

export const SETTING_ROWS = [
  ...SERVER_ROWS,
  ...AUTH_ROWS,
  ...NET_ROWS,
  ...JOBS_ROWS,
  ...WORKER_ROWS,
  ...COMPARE_ROWS,
  ...AUDIT_ROWS,
  ...PROXY_ROWS,
  ...EXPLAIN_ROWS,
  ...CLIENT_ROWS,
  ...LOG_ROWS,
] as const satisfies readonly SettingRow[];

export type SettingKey = (typeof SETTING_ROWS)[number]['key'];

export type SettingGroup = SettingKey extends `${infer Group}.${string}` ? Group : never;

export const envName = (row: Pick<SettingRow, 'flag' | 'env'>): string =>
  row.env ?? `SONDE_${row.flag.toUpperCase().replaceAll('-', '_')}`;
