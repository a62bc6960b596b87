/** Subscriptions for the Worker. Each call goes to the tenant's object. */
import { isTenantSlug } from '../../../api/auth/principal.js';
import { SondeError } from '../../../errors.js';
import {
  createWebhookSigner,
  type HolderCall,
  readCallbackToken,
  type SubscriptionOperations,
} from '../../../streams/index.js';
import type { EdgeEnv } from '../edge-env.js';
import type { EdgeSettings } from '../edge-settings.js';
import { unwrap } from '../wire-faults.js';
import { type LedgerRpc, ledgerOf, type WireHolderCall } from './ledger-rpc.js';

export async function createRemoteSubscriptions(
  env: EdgeEnv,
  { edge }: EdgeSettings,
): Promise<SubscriptionOperations> {
  const { publicJwk } = await createWebhookSigner(edge.keyFor('sonde webhook signatures'));
  const of = ({ tenant }: { readonly tenant: string }) => ledgerOf(env, tenant);
  /** A token names its tenant. One with an unknown tenant is forged, and must not create an object. */
  const holder = ({ token }: HolderCall): LedgerRpc => {
    const tenant = token === undefined ? undefined : readCallbackToken(token)?.tenant;
    if (tenant !== undefined && isTenantSlug(tenant) && edge.tenants.has(tenant)) return of({ tenant });
    throw new SondeError(
      'TOKEN_INVALID',
      'the token of the wake is required; send it as "Authorization: Bearer …"',
    );
  };
  return {
    create: (key, request) => unwrap(of(key).createSubscription(key, request)),
    view: (key) => unwrap(of(key).viewSubscription(key)),
    remove: (key) => unwrap(of(key).removeSubscription(key)),
    addStreams: (key, body) => unwrap(of(key).addStreams(key, body)),
    removeStream: (key, path) => unwrap(of(key).removeStream(key, path)),
    claim: (key, body) => unwrap(of(key).claim(key, body)),
    callback: async (call) => unwrap(holder(call).settle('callback', await toWire(call))),
    ack: async (call) => unwrap(holder(call).settle('ack', await toWire(call))),
    release: async (call) => unwrap(holder(call).release(await toWire(call))),
    jwks: { keys: [publicJwk] },
  };
}

async function toWire({ body, ...call }: HolderCall): Promise<WireHolderCall> {
  return { ...call, body: await body() };
}
