/**
 * Delivers a wake: a signed POST to a webhook, or a message on a wake stream. The result is an event for
 * the subscription. Delivery is at least once: a wake whose response was lost is sent again, under the same id.
 */
import { asSondeError } from '../../errors.js';
import { concatBytes, toBase64Url } from '../../net/index.js';
import { mintCallbackToken } from './callback-token.js';
import type { WakeName } from './decide-wake.js';
import { retryMs } from './retry-delay.js';
import { streamIdOf } from './stream-path.js';
import type { SubscriptionBase } from './subscription-deps.js';
import type { SubscriptionEvent, SubscriptionLink, SubscriptionRecord } from './subscription-store.js';
import { callbackUrlOf, streamView } from './subscription-view.js';
import { openUrl } from './webhook-url.js';

export interface DueWake extends WakeName {
  readonly attempts: number;
}

const encoder = new TextEncoder();

export async function deliverWake(
  deps: SubscriptionBase,
  record: SubscriptionRecord,
  { wake, signal }: { readonly wake: DueWake; readonly signal: AbortSignal },
): Promise<SubscriptionEvent> {
  const { generation, wakeId } = wake;
  const links = await deps.store.newsFirst(record, deps.limits.streamsPerWake);
  const response = await post(deps, record, {
    signal,
    body: encoder.encode(
      JSON.stringify({
        subscription_id: record.id,
        wake_id: wakeId,
        generation,
        streams: links.map(streamView),
        callback_url: callbackUrlOf(deps, record),
        callback_token: mintCallbackToken(deps.tokenKey, record, generation),
      }),
    ),
  });
  if ('why' in response) {
    const { tenant, id: subscription } = record;
    const details = { tenant, subscription, attempt: wake.attempts + 1, why: response.why };
    deps.log.warn('a webhook was not delivered', details);
    return { wake: { kind: 'failed', generation, wakeId, retryMs: retryMs(wake.attempts, deps.random) } };
  }
  const done = isDone(response.body);
  return {
    wake: { kind: 'delivered', generation, wakeId, done },
    ...(done && { acks: { entries: acksOf(links), strict: false } }),
  };
}

export async function announceWake(
  deps: SubscriptionBase,
  record: SubscriptionRecord,
  { generation, wakeId }: WakeName,
): Promise<SubscriptionEvent> {
  const [first] = await deps.store.newsFirst(record, 1);
  const message = {
    type: 'wake',
    subscription_id: record.id,
    stream: first?.path ?? '',
    generation,
    ts: deps.clock(),
  };
  const id = streamIdOf(record.tenant, record.wakeStream ?? '');
  const outcome = await deps.streams.appendMessage(id, JSON.stringify(message));
  if (outcome !== 'appended') {
    // Not retried: workers can claim without a notification, and only they can repair the wake stream.
    const { tenant, id: subscription } = record;
    deps.log.warn('a wake could not be written to its stream', { tenant, subscription, outcome });
  }
  return { wake: { kind: 'announced', generation, wakeId } };
}

type Posted = { readonly body: Uint8Array } | { readonly why: string };

async function post(
  deps: SubscriptionBase,
  record: SubscriptionRecord,
  { body, signal }: { readonly body: Uint8Array; readonly signal: AbortSignal },
): Promise<Posted> {
  try {
    const url = await openUrl(deps, record);
    if (url === null) return { why: 'its URL was encrypted with another key' };
    const response = await deps.outbound.deliver({
      url,
      headers: [
        ['content-type', 'application/json'],
        ['webhook-signature', await signatureOf(deps, body)],
      ],
      body,
      signal,
    });
    return response.status >= 200 && response.status < 300 ? response : { why: `status ${response.status}` };
  } catch (thrown) {
    return { why: asSondeError(thrown, 'fetch_error').code };
  }
}

/** Signs the time and the exact bytes, so that a recorded call cannot be replayed later. */
async function signatureOf({ signer, clock }: SubscriptionBase, body: Uint8Array): Promise<string> {
  const seconds = Math.floor(clock() / 1000);
  const signed = concatBytes([encoder.encode(`${seconds}.`), body]);
  const signature = toBase64Url(await signer.sign(signed));
  return `t=${seconds},kid=${signer.publicJwk.kid},ed25519=${signature}`;
}

function isDone(body: Uint8Array): boolean {
  try {
    const fields = JSON.parse(new TextDecoder().decode(body)) as { readonly done?: unknown } | null;
    return fields?.done === true;
  } catch {
    return false;
  }
}

function acksOf(links: readonly SubscriptionLink[]) {
  return links.flatMap(({ path, stream }) => (stream ? [{ path, at: stream.tail, stream }] : []));
}
