/** `sonde tenant quota`: shows or changes the quotas of a tenant. */
import type { Command } from 'commander';
import { SondeError } from '../../errors.js';
import { QUOTA_NAMES } from '../../jobs/tenant.js';
import { type CliContext, printResult } from '../cli-context.js';
import { addTenantCommand, readQuotaWords, tenantLine, tenantView, withTenants } from '../tenant-commands.js';

export function addTenantQuota(parent: Command, context: CliContext): void {
  addTenantCommand(parent, 'quota', "show or set a tenant's quotas")
    .argument('<SLUG>', 'the tenant')
    .argument('[NAME=NUMBER...]', `what to set (${QUOTA_NAMES.join(', ')}); "default" resets a quota`)
    .action(async (...given: [slug: string, words: readonly string[], options: unknown, self: Command]) => {
      const [slug, words, , self] = given;
      const quotas = readQuotaWords(words);
      const tenant = await withTenants(context, self, (tenants) =>
        words.length === 0 ? tenants.bySlug(slug) : tenants.setQuotas(slug, quotas),
      );
      if (!tenant) throw new SondeError('TENANT_NOT_FOUND', `there is no tenant "${slug}"`);
      await printResult(context, { tenant: tenantView(tenant) }, tenantLine(tenant));
    });
}
