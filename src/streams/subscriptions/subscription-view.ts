/** Formats subscriptions and their streams as the protocol's JSON. */
import { createRedactor } from '../../net/index.js';
import { trimEnd } from '../../trim-end.js';
import { formatOffset } from '../offset.js';
import type { WakeState } from './decide-wake.js';
import type { LinkProgress } from './late-links.js';
import type { SubscriptionBase } from './subscription-deps.js';
import type { SubscriptionConfig, SubscriptionLink, SubscriptionRecord } from './subscription-store.js';

/** The offset before the first byte, as in reads. */
const BEFORE_FIRST = '-1';
const redactor = createRedactor();

interface ViewInput {
  readonly links: readonly SubscriptionLink[];
  readonly webhookUrl: string | null;
  /** Set until all its streams are linked. */
  readonly linking: LinkProgress | undefined;
}

export function viewOf(
  deps: Pick<SubscriptionBase, 'publicUrl' | 'signer'>,
  record: SubscriptionRecord,
  { links, webhookUrl, linking }: ViewInput,
): Record<string, unknown> {
  const base = baseOf(deps, record);
  return {
    id: record.id,
    subscription_id: record.id,
    type: record.mode,
    ...(record.pattern !== null && { pattern: record.pattern }),
    streams: links.map(linkView),
    ...(record.webhookSealed !== null && {
      webhook: {
        // Only the receiver may see a credential in it.
        url: webhookUrl === null ? null : redactor.text(webhookUrl),
        signing: {
          alg: 'ed25519',
          kid: deps.signer.publicJwk.kid,
          jwks_url: `${base}/v1/stream/__ds/jwks.json`,
        },
      },
    }),
    ...(record.wakeStream !== null && { wake_stream: record.wakeStream }),
    lease_ttl_ms: record.leaseMs,
    created_at: new Date(record.createdAt).toISOString(),
    ...(linking && { linking }),
    status: record.wake.failing ? 'failed' : 'active',
    ...retryView(record.wake),
    ...(record.description !== null && { description: record.description }),
  };
}

/** Present while a webhook that failed is called again. */
function retryView(wake: WakeState): Record<string, unknown> {
  if (wake.phase !== 'woken' || !wake.failing || wake.dueAt === null) return {};
  return { retry: { attempts: wake.attempts, next_at: new Date(wake.dueAt).toISOString() } };
}

export function streamView(link: SubscriptionLink): Record<string, unknown> {
  return {
    ...linkView(link),
    tail_offset: link.stream ? formatOffset(link.stream.hash, link.stream.tail) : BEFORE_FIRST,
    has_pending: link.pending,
  };
}

export function callbackUrlOf(deps: Pick<SubscriptionBase, 'publicUrl'>, config: SubscriptionConfig): string {
  return `${baseOf(deps, config)}/v1/stream/__ds/subscriptions/${encodeURIComponent(config.id)}/callback`;
}

function baseOf({ publicUrl }: Pick<SubscriptionBase, 'publicUrl'>, { baseUrl }: SubscriptionConfig): string {
  return publicUrl === undefined ? baseUrl : trimEnd(publicUrl, '/');
}

function linkView({ path, explicit, stream, acked }: SubscriptionLink) {
  return {
    path,
    link_type: explicit ? 'explicit' : 'glob',
    acked_offset: stream && acked ? formatOffset(stream.hash, acked) : BEFORE_FIRST,
  };
}
