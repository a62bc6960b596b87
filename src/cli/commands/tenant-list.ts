/** `sonde tenant list`: lists every tenant with its quotas. */
import type { Command } from 'commander';
import type { Tenant } from '../../jobs/index.js';
import { type CliContext, printJson, printText } from '../cli-context.js';
import { addTenantCommand, tenantLine, tenantView, withTenants } from '../tenant-commands.js';

const PAGE = 500;

export function addTenantList(parent: Command, context: CliContext): void {
  addTenantCommand(parent, 'list', 'list tenants').action((_options: unknown, self: Command) =>
    withTenants(context, self, async (store) => {
      const all: Tenant[] = [];
      for (let after = '', found = PAGE; found === PAGE; ) {
        const page = await store.list({ after, limit: PAGE });
        found = page.length;
        after = page.at(-1)?.slug ?? after;
        all.push(...page);
      }
      if (context.json) return printJson(context, { tenants: all.map(tenantView) });
      for (const tenant of all) await printText(context, tenantLine(tenant));
    }),
  );
}
