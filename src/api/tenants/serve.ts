/** The caller's tenant with its quotas and usage. With `?site=`, also what to publish there to prove its ownership. */
import { ownerProof } from '../../audits/index.js';
import { quotasOf } from '../../jobs/index.js';
import { type Operation, serve } from '../../kernel/operation.js';
import { jsonReply, NO_STORE } from '../../kernel/reply.js';
import { refusalError } from '../../net/index.js';
import { type RecordServices, tenantOf } from '../records.js';
import { iso } from '../views/time.js';
import * as facts from './facts.js';
import * as schemas from './schemas.js';

const getTenant = serve(
  facts.getTenant,
  schemas.getTenant,
  async (call, { query: { site } }, { records }: RecordServices) => {
    const tenant = await tenantOf(call, records);
    const { queued, running } = await records.jobs.counts(tenant);
    const webhooks = await records.webhooks.store.list(tenant.id);
    const refused = site === undefined ? undefined : records.refusal(site);
    if (refused) throw refusalError(refused);
    const body = {
      slug: tenant.slug,
      name: tenant.name,
      scopes: [...call.caller.scopes],
      quotas: quotasOf(tenant),
      usage: { jobsQueued: queued, jobsRunning: running, webhooks: webhooks.length },
      createdAt: iso(tenant.createdAt),
      ...(site !== undefined && { verification: ownerProof(tenant.id, new URL(site)) }),
    };
    return jsonReply(body, NO_STORE);
  },
);

export const TENANT_OPERATIONS: readonly Operation<RecordServices>[] = [getTenant];
