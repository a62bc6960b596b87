/** `sonde tenant create`: creates a tenant, so that tokens for it are accepted. */
import type { Command } from 'commander';
import { SondeError } from '../../errors.js';
// Not from the index, which would load schemas and hashes even for `--version`.
import { checkSlug, checkTenantName, type Quotas } from '../../jobs/tenant.js';
import { uuidV7 } from '../../uuid.js';
import { type CliContext, printResult } from '../cli-context.js';
import { collect } from '../header-options.js';
import { addTenantCommand, readQuotaWords, tenantLine, tenantView, withTenants } from '../tenant-commands.js';

interface CreateOptions {
  readonly name?: string;
  readonly quota: readonly string[];
}

export function addTenantCreate(parent: Command, context: CliContext): void {
  addTenantCommand(parent, 'create', 'create a tenant')
    .argument('<SLUG>', 'name used in tokens: a-z, 0-9 and -')
    .option('--name <TEXT>', 'display name')
    .option('--quota <NAME=NUMBER>', 'quota of the tenant; may be repeated', collect, [])
    .action(async (slug: string, { name = slug, quota }: CreateOptions, self: Command) => {
      const names = { slug: checkSlug(slug), name: checkTenantName(name) };
      const given = Object.entries(readQuotaWords(quota)).filter(([, value]) => value !== null);
      const quotas = Object.fromEntries(given) as Partial<Quotas>;
      const tenant = await withTenants(context, self, (tenants) =>
        tenants.create({ id: uuidV7(Date.now()), ...names, quotas }),
      );
      if (!tenant) throw new SondeError('TENANT_EXISTS', `tenant "${slug}" already exists`);
      await printResult(context, { tenant: tenantView(tenant) }, tenantLine(tenant));
    });
}
