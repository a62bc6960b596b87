/** PUT: creates a subscription. Repeating the request succeeds if the existing one has the same configuration. */
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { SondeError } from '../../errors.js';
import { toBase64Url } from '../../net/index.js';
import { allLinks, gatherLinks, noteChanges } from './follow-streams.js';
import type { SubscriptionDeps } from './subscription-deps.js';
import { type CreateRequest, readCreate, readFields } from './subscription-requests.js';
import type { SubscriptionKey, SubscriptionLink, SubscriptionRecord } from './subscription-store.js';
import { viewOf } from './subscription-view.js';
import { openUrl, sealUrl } from './webhook-url.js';

export interface CreatedSubscription {
  readonly created: boolean;
  readonly view: Record<string, unknown>;
}

export async function createSubscription(
  deps: SubscriptionDeps,
  key: SubscriptionKey,
  { body, baseUrl }: { readonly body: Uint8Array; readonly baseUrl: string },
): Promise<CreatedSubscription> {
  const { store, index, limits } = deps;
  const wanted = readCreate(readFields(body), limits.streamsPerRequest);
  const configHash = hashOf(deps, wanted);
  const existing = await store.get(key);
  if (existing) return confirm(deps, existing, configHash);
  refuseUrl(deps, wanted);
  const { subscriptions: max = limits.perTenant, subscriptionEntries = limits.indexEntries } =
    await deps.tenantLimits(key.tenant);
  index.demandRoom(key.tenant, 1 + wanted.streams.length, subscriptionEntries);
  const { pattern, streams: named, wakeStream } = wanted;
  const links = await gatherLinks(deps, key.tenant, { pattern, named, not: wakeStream });
  const { streams: _named, webhookUrl, ...config } = wanted;
  const nonce = toBase64Url(crypto.getRandomValues(new Uint8Array(12)));
  const outcome = await store.create(
    {
      ...key,
      ...config,
      webhookSealed: await sealUrl(deps, { ...key, nonce }, webhookUrl),
      createdAt: deps.clock(),
      nonce,
      baseUrl,
      configHash,
      links: links.slice(0, limits.linksAtOnce),
    },
    max,
  );
  if (outcome.kind === 'full') {
    throw new SondeError('TOO_MANY_SUBSCRIPTIONS', `a tenant can have at most ${max} subscriptions`, {
      details: { max },
    });
  }
  if (outcome.kind === 'exists') return confirm(deps, outcome.record, configHash);
  const entry = index.add(outcome.record, named);
  const then = () => noteChanges(deps, entry, links);
  const later = links.slice(limits.linksAtOnce);
  if (later.length === 0) await then();
  else deps.lateLinks.begin(key, { links: later, total: links.length, then });
  return { created: true, view: await view(deps, outcome.record) };
}

export async function viewSubscription(
  deps: SubscriptionDeps,
  key: SubscriptionKey,
): Promise<Record<string, unknown>> {
  await deps.runner.catchUp(key);
  const record = await deps.store.get(key);
  if (!record) throw noSubscription();
  return view(deps, record);
}

export function noSubscription(): SondeError {
  return new SondeError('SUBSCRIPTION_NOT_FOUND', 'subscription not found');
}

async function confirm(
  deps: SubscriptionDeps,
  record: SubscriptionRecord,
  configHash: string,
): Promise<CreatedSubscription> {
  if (record.configHash !== configHash) {
    throw new SondeError(
      'SUBSCRIPTION_ALREADY_EXISTS',
      'the subscription already exists with a different configuration',
    );
  }
  await deps.runner.catchUp(record);
  return { created: false, view: await view(deps, record) };
}

async function view(deps: SubscriptionDeps, record: SubscriptionRecord): Promise<Record<string, unknown>> {
  const links: SubscriptionLink[] = [];
  for await (const link of allLinks(deps, record)) links.push(link);
  const webhookUrl = await openUrl(deps, record);
  return viewOf(deps, record, { links, webhookUrl, linking: deps.lateLinks.progress(record) });
}

function refuseUrl({ outbound }: SubscriptionDeps, { webhookUrl }: CreateRequest): void {
  const refusal = webhookUrl === null ? undefined : outbound.refusal(webhookUrl);
  if (!refusal) return;
  throw new SondeError('WEBHOOK_URL_REJECTED', `webhook.url: ${refusal.message}`, {
    details: { rule: refusal.rule },
  });
}

/** A keyed hash: with a plain digest, a guess at a secret in the URL could be verified. */
function hashOf({ tokenKey }: SubscriptionDeps, wanted: CreateRequest): string {
  const { mode, pattern, streams, webhookUrl, wakeStream, leaseMs, description } = wanted;
  const all = ['config', mode, pattern, webhookUrl, wakeStream, leaseMs, description, streams];
  return toBase64Url(hmac(sha256, tokenKey, new TextEncoder().encode(JSON.stringify(all))));
}
