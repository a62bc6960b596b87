import * as z from 'zod';
import type { Schemas } from '../../kernel/operation.js';
import { SCOPES } from '../../scopes.js';
import { boundedText, jsonResponse } from '../views/operation.js';
import { time } from '../views/time.js';

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

export const getTenant = {
  tag: 'Tenant',
  summary: 'Get the tenant of the credential',
  query: z.object({
    site: boundedText(2048, 'A URL of a site. The response then explains how to prove ownership.'),
  }),
  replies: { 200: jsonResponse('The tenant.', TenantView) },
} satisfies Schemas;
