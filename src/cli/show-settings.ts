/** Formats resolved settings with their origins: secrets are hidden, everything else is redacted. */
import type { ResolvedSettings } from '../config/resolve-settings.js';
import { SETTING_ROWS, type SettingRow } from '../config/setting-rows.js';
import type { Settings } from '../config/settings.js';
import { createRedactor, type Redactor } from '../net/redact/index.js';

export interface FormattedSetting {
  readonly key: string;
  readonly value: unknown;
  readonly text: string;
  readonly origin: string;
}

const HIDDEN = '(set, hidden)';

function valueAt(settings: Settings, key: string): unknown {
  const [group = '', name = ''] = key.split('.');
  const groups: Readonly<Record<string, Readonly<Record<string, unknown>>>> = settings;
  return groups[group]?.[name];
}

function formatValue(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? '(none)' : value.join(', ');
  if (typeof value !== 'object' || value === null) return String(value);
  const pairs = Object.entries(value).map(([name, target]) => `${name}=${formatTarget(target)}`);
  return pairs.length === 0 ? '(none)' : pairs.join(', ');
}

/** An entry of a map is either a text or a route of the proxy. */
function formatTarget(target: unknown): string {
  if (typeof target !== 'object' || target === null) return String(target);
  const [first, ...rest] = Object.entries(target).map(([name, value]) =>
    name === 'url' ? value : `${name} ${value}`,
  );
  return rest.length === 0 ? String(first) : `${first} (${rest.join(', ')})`;
}

const isSet = (value: unknown): boolean =>
  value !== undefined && !(Array.isArray(value) && value.length === 0);

function show(row: SettingRow, value: unknown, redactor: Redactor): { value: unknown; text: string } {
  if (row.secret && isSet(value)) return { value: HIDDEN, text: HIDDEN };
  if (value === undefined) return { value: null, text: row.unset ? `(${row.unset})` : '(not set)' };
  return { value: redactor.value(value), text: redactor.text(formatValue(value)) };
}

export function showSettings({ settings, origins }: ResolvedSettings): FormattedSetting[] {
  const redactor = createRedactor();
  return SETTING_ROWS.map((row) => ({
    key: row.key,
    origin: origins[row.key],
    ...show(row, valueAt(settings, row.key), redactor),
  }));
}
