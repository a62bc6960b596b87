/** PUT: makes a subscription, or finds that the same one is there already. */
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { SondeError } from '../../errors.js';
import { toBase64Url } from '../../net/index.js';
import { allLinks, gatherLinks, lookAtLinks, lookAtMatches } from './follow-streams.js';
import type { SubscriptionParts } from './subscription-parts.js';
import { type CreateRequest, readCreate, readFields } from './subscription-requests.js';
import type { SubscriptionKey, SubscriptionLink, SubscriptionRecord } from './subscription-store.js';
import { viewOf } from './subscription-view.js';
import { openUrl, sealUrl } from './webhook-url.js';

export interface CreatedSubscription {
  readonly created: boolean;
  readonly view: Record<string, unknown>;
}

export async function createSubscription(
  parts: SubscriptionParts,
  key: SubscriptionKey,
  { body, baseUrl }: { readonly body: Uint8Array; readonly baseUrl: string },
): Promise<CreatedSubscription> {
  const { store, index, limits } = parts;
  const wanted = readCreate(readFields(body), limits.streamsPerRequest);
  const configHash = hashOf(parts, wanted);
  const existing = await store.get(key);
  if (existing) return confirm(parts, existing, configHash);
  refuseUrl(parts, wanted);
  const { subscriptions: max = limits.perTenant, subscriptionEntries = limits.indexEntries } =
    await parts.tenantLimits(key.tenant);
  index.demandRoom(key.tenant, 1 + wanted.streams.length, subscriptionEntries);
  const { pattern, streams: named, wakeStream } = wanted;
  const links = await gatherLinks(parts, key.tenant, { pattern, named, not: wakeStream });
  const { streams: _named, webhookUrl, ...config } = wanted;
  const nonce = toBase64Url(crypto.getRandomValues(new Uint8Array(12)));
  const made = await store.create(
    {
      ...key,
      ...config,
      webhookSealed: await sealUrl(parts, { ...key, nonce }, webhookUrl),
      createdAt: parts.clock(),
      nonce,
      baseUrl,
      configHash,
      links,
    },
    max,
  );
  if (made.kind === 'full') {
    throw new SondeError('TOO_MANY_SUBSCRIPTIONS', `a tenant has at most ${max} subscriptions`, {
      details: { max },
    });
  }
  if (made.kind === 'exists') return confirm(parts, made.record, configHash);
  const entry = index.add(made.record, named);
  await lookAtLinks(parts, key);
  if (entry.pattern) await lookAtMatches(parts, key.tenant, entry.pattern.prefix);
  return { created: true, view: await look(parts, made.record) };
}

export async function viewSubscription(
  parts: SubscriptionParts,
  key: SubscriptionKey,
): Promise<Record<string, unknown>> {
  await parts.runner.caughtUp(key);
  const record = await parts.store.get(key);
  if (!record) throw noSubscription();
  return look(parts, record);
}

export function noSubscription(): SondeError {
  return new SondeError('SUBSCRIPTION_NOT_FOUND', 'there is no such subscription');
}

async function confirm(
  parts: SubscriptionParts,
  record: SubscriptionRecord,
  configHash: string,
): Promise<CreatedSubscription> {
  if (record.configHash !== configHash) {
    throw new SondeError('SUBSCRIPTION_ALREADY_EXISTS', 'the subscription exists with another configuration');
  }
  return { created: false, view: await look(parts, record) };
}

async function look(parts: SubscriptionParts, record: SubscriptionRecord): Promise<Record<string, unknown>> {
  const links: SubscriptionLink[] = [];
  for await (const link of allLinks(parts, record)) links.push(link);
  return viewOf(parts, record, { links, webhookUrl: await openUrl(parts, record) });
}

function refuseUrl({ door }: SubscriptionParts, { webhookUrl }: CreateRequest): void {
  const refusal = webhookUrl === null ? undefined : door.refusal(webhookUrl);
  if (!refusal) return;
  throw new SondeError('WEBHOOK_URL_REJECTED', `webhook.url: ${refusal.message}`, {
    details: { rule: refusal.rule },
  });
}

/** Under a key: a plain digest would let a guess at a secret in the URL be checked. */
function hashOf({ tokenKey }: SubscriptionParts, wanted: CreateRequest): string {
  const { mode, pattern, streams, webhookUrl, wakeStream, leaseMs, description } = wanted;
  const all = ['config', mode, pattern, webhookUrl, wakeStream, leaseMs, description, streams];
  return toBase64Url(hmac(sha256, tokenKey, new TextEncoder().encode(JSON.stringify(all))));
}
