/** PUT: makes a subscription, or finds that the same one is there already. */
import { SondeError } from '../../errors.js';
import { hashParts, toBase64Url } from '../../net/index.js';
import { allLinks, gatherLinks, lookAtLinks, lookAtMatches } from './follow-streams.js';
import type { SubscriptionParts } from './subscription-parts.js';
import { type CreateRequest, readCreate, readFields } from './subscription-requests.js';
import type { SubscriptionKey, SubscriptionLink, SubscriptionRecord } from './subscription-store.js';
import { viewOf } from './subscription-view.js';

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
  const configHash = hashOf(wanted);
  const existing = await store.get(key);
  if (existing) return confirm(parts, existing, configHash);
  refuseUrl(parts, wanted);
  index.demandRoom(1 + wanted.streams.length);
  const { pattern, streams: named, wakeStream } = wanted;
  const links = await gatherLinks(parts, key.tenant, { pattern, named, not: wakeStream });
  const { streams: _named, ...config } = wanted;
  const made = await store.create(
    {
      ...key,
      ...config,
      createdAt: parts.clock(),
      nonce: toBase64Url(crypto.getRandomValues(new Uint8Array(12))),
      baseUrl,
      configHash,
      links,
    },
    limits.perTenant,
  );
  if (made.kind === 'full') {
    throw new SondeError('TOO_MANY_SUBSCRIPTIONS', `a tenant has at most ${limits.perTenant} subscriptions`, {
      details: { max: limits.perTenant },
    });
  }
  if (made.kind === 'exists') return confirm(parts, made.record, configHash);
  const entry = index.add(made.record, named);
  await lookAtLinks(parts, key);
  if (entry.pattern) await lookAtMatches(parts, key.tenant, entry.pattern.prefix);
  return { created: true, view: viewOf(parts, made.record, await gather(parts, key)) };
}

export async function viewSubscription(
  parts: SubscriptionParts,
  key: SubscriptionKey,
): Promise<Record<string, unknown>> {
  await parts.runner.caughtUp(key);
  const record = await parts.store.get(key);
  if (!record) throw noSubscription();
  return viewOf(parts, record, await gather(parts, key));
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
  return { created: false, view: viewOf(parts, record, await gather(parts, record)) };
}

async function gather(parts: SubscriptionParts, key: SubscriptionKey): Promise<readonly SubscriptionLink[]> {
  const links: SubscriptionLink[] = [];
  for await (const link of allLinks(parts, key)) links.push(link);
  return links;
}

function refuseUrl({ door }: SubscriptionParts, { webhookUrl }: CreateRequest): void {
  const refusal = webhookUrl === null ? undefined : door.refusal(webhookUrl);
  if (!refusal) return;
  throw new SondeError('WEBHOOK_URL_REJECTED', `webhook.url: ${refusal.message}`, {
    details: { rule: refusal.rule },
  });
}

function hashOf(wanted: CreateRequest): string {
  const { mode, pattern, streams, webhookUrl, wakeStream, leaseMs, description } = wanted;
  return hashParts([
    JSON.stringify([mode, pattern, webhookUrl, wakeStream, leaseMs, description]),
    JSON.stringify(streams),
  ]);
}
