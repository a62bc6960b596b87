/**
 * `GET /api/tenant`: the caller's tenant with its quotas and usage. With `?site=`, also what to publish on that site to
 * prove its ownership.
 */
import * as z from 'zod';
import { ownerProof } from '../../audits/index.js';
import { quotasOf } from '../../jobs/index.js';
import { refusalError } from '../../net/index.js';
import { SCOPES } from '../../scopes.js';
import type { App, AppDeps } from '../app-env.js';
import { demandTenant } from '../auth/require-scope.js';
import { storeErrors } from '../views/error-responses.js';
import { boundedText, jsonResponse, NO_STORE, operations } from '../views/operation.js';
import { iso, time } from '../views/time.js';

const Query = z.object({
  site: boundedText(2048, 'A URL of a site. The response then explains how to prove ownership.'),
});

const count = z.int().min(0);
const Verification = z
  .object({
    domain: z.string().describe('The site whose ownership the token proves.'),
    token: z.string(),
    file: z
      .object({ url: z.string(), content: z.string() })
      .describe('Publish this file. A redirect does not count.'),
    record: z.object({ name: z.string(), value: z.string() }).describe('Or publish this TXT record.'),
  })
  .describe(
    'With `site`: either proof allows audits of the site to check for leaks and to use other user agents.',
  )
  .meta({ id: 'SiteVerification' });
const TenantView = z
  .object({
    slug: z.string(),
    name: z.string(),
    scopes: z.array(z.enum(SCOPES)).describe('Scopes of the credential.'),
    quotas: z.object({
      jobsQueued: count,
      jobsRunning: count,
      webhooks: count,
      openStreams: count,
      subscriptions: count,
      subscriptionEntries: count,
      proxyStreams: count,
      liveReaders: count,
      storedBytes: count,
      probes: count,
    }),
    usage: z.object({ jobsQueued: count, jobsRunning: count, webhooks: count }),
    createdAt: time,
    verification: Verification.optional(),
  })
  .meta({ id: 'Tenant' });

const route = operations('Tenant').get('/api/tenant', 'getTenant', {
  summary: 'Get the tenant of the credential',
  description: 'Works with any credential of a tenant.',
  request: { query: Query },
  responses: {
    200: jsonResponse('The tenant.', TenantView),
    ...storeErrors('invalid_url', 'ssrf_blocked'),
  },
});

export function addTenant(app: App, { records }: AppDeps): void {
  if (!records) return;
  app.openapi(route, async (c) => {
    const principal = demandTenant(c);
    const tenant = await records.tenants.need(principal.tenant);
    const { queued, running } = await records.jobs.counts(tenant);
    const webhooks = await records.webhooks.store.list(tenant.id);
    const { site } = c.req.valid('query');
    const refused = site === undefined ? undefined : records.refusal(site);
    if (refused) throw refusalError(refused);
    const body = {
      slug: tenant.slug,
      name: tenant.name,
      scopes: [...principal.scopes],
      quotas: quotasOf(tenant),
      usage: { jobsQueued: queued, jobsRunning: running, webhooks: webhooks.length },
      createdAt: iso(tenant.createdAt),
      ...(site !== undefined && { verification: ownerProof(tenant.id, new URL(site)) }),
    };
    return c.json(body, 200, NO_STORE);
  });
}
