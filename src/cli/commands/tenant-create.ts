/** `sonde tenant create`: makes a tenant, so that tokens that name it are accepted. */
import type { Command } from 'commander';
import { SondeError } from '../../errors.js';
import { checkSlug, checkTenantName, type Quotas } from '../../jobs/tenant.js';
// By file: the index would load schemas and hashes that `--version` must not pay for.
import { uuidV7 } from '../../uuid.js';
import { type CliContext, printJson, printText } from '../cli-context.js';
import {
  addTenantCommand,
  readQuotaWords,
  tenantFacts,
  tenantLine,
  withTenants,
} from '../tenant-commands.js';

interface CreateOptions {
  readonly name?: string;
  readonly quota: readonly string[];
}

const gather = (word: string, before: readonly string[]): readonly string[] => [...before, word];

export function addTenantCreate(parent: Command, context: CliContext): void {
  addTenantCommand(parent, 'create', 'create a tenant')
    .argument('<SLUG>', 'name used in tokens: a-z, 0-9 and -')
    .option('--name <TEXT>', 'display name')
    .option('--quota <NAME=NUMBER>', 'quota of the tenant; may be repeated', gather, [])
    .action(async (slug: string, { name = slug, quota }: CreateOptions, self: Command) => {
      const wanted = { slug: checkSlug(slug), name: checkTenantName(name) };
      const given = Object.entries(readQuotaWords(quota)).filter(([, value]) => value !== null);
      const quotas = Object.fromEntries(given) as Partial<Quotas>;
      const tenant = await withTenants(context, self, (tenants) =>
        tenants.create({ id: uuidV7(Date.now()), ...wanted, quotas }),
      );
      if (!tenant) throw new SondeError('TENANT_EXISTS', `tenant "${slug}" already exists`);
      if (context.json) await printJson(context, { tenant: tenantFacts(tenant) });
      else await printText(context, tenantLine(tenant));
    });
}
