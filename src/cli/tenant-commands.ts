/** Shared by the tenant commands. They are for operators and use the store directly, without a server. */
import type { Command } from 'commander';
import type { SettingKey } from '../config/setting-rows.js';
import { SondeError } from '../errors.js';
import { checkQuotas, quotasOf, type Tenant, type TenantStore } from '../jobs/tenant.js';
import { oneLine } from '../printable.js';
import type { CliContext } from './cli-context.js';
import { loadSettings } from './load-settings.js';
import { addSettingOptions } from './setting-options.js';

const SETTINGS: readonly SettingKey[] = ['server.data', 'jobs.databaseUrl'];

export function addTenantCommand(parent: Command, name: string, about: string): Command {
  return addSettingOptions(parent.command(name).description(about), SETTINGS);
}

export async function withTenants<T>(
  context: CliContext,
  command: Command,
  run: (tenants: TenantStore) => Promise<T>,
): Promise<T> {
  const { settings } = await loadSettings(context, command);
  const log = await context.runtime.createLog(settings);
  const { tenants, close } = await context.runtime.openTenants(settings, log);
  try {
    return await run(tenants);
  } finally {
    await close();
  }
}

/** Parses `jobsRunning=20`, or `jobsRunning=default` to reset a quota. */
export function readQuotaWords(words: readonly string[]): Record<string, number | null> {
  const pairs = words.map((word) => {
    const [, name = '', value = ''] = /^([A-Za-z]+)=(\d{1,16}|default)$/.exec(word) ?? [];
    if (name === '') throw new SondeError('USAGE', `"${word}": expected NAME=NUMBER or NAME=default`);
    return [name, value === 'default' ? null : Number(value)] as const;
  });
  checkQuotas(Object.fromEntries(pairs.map(([name, value]) => [name, value ?? 0])));
  return Object.fromEntries(pairs);
}

export function tenantView(tenant: Tenant) {
  const { slug, name, createdAt } = tenant;
  return { slug, name, quotas: quotasOf(tenant), createdAt: new Date(createdAt).toISOString() };
}

export function tenantLine(tenant: Tenant): string {
  const quotas = Object.entries(quotasOf(tenant)).map(([name, value]) => `${name}=${value}`);
  return oneLine(`${tenant.slug.padEnd(24)}  ${tenant.name.padEnd(24)}  ${quotas.join(' ')}`);
}
