/** Subscriptions as the Worker has them: each call goes to the tenant's own object. */
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
import { received } from '../wire-faults.js';
import { type LedgerRpc, ledgerOf, type WireHolderCall } from './ledger-rpc.js';

export async function createRemoteSubscriptions(
  env: EdgeEnv,
  { edge }: EdgeSettings,
): Promise<SubscriptionOperations> {
  const { publicJwk } = await createWebhookSigner(edge.keyFor('sonde webhook signatures'));
  const of = ({ tenant }: { readonly tenant: string }) => ledgerOf(env, tenant);
  /** A token names its tenant. One that names none of ours is forged, and must not make an object. */
  const holder = ({ token }: HolderCall): LedgerRpc => {
    const tenant = token === undefined ? undefined : readCallbackToken(token)?.tenant;
    if (tenant !== undefined && isTenantSlug(tenant) && edge.tenants.has(tenant)) return of({ tenant });
    throw new SondeError(
      'TOKEN_INVALID',
      'the token of the wake is required; send it as "Authorization: Bearer …"',
    );
  };
  return {
    create: (key, request) => received(of(key).createSubscription(key, request)),
    view: (key) => received(of(key).viewSubscription(key)),
    remove: (key) => received(of(key).removeSubscription(key)),
    addStreams: (key, body) => received(of(key).addStreams(key, body)),
    removeStream: (key, path) => received(of(key).removeStream(key, path)),
    claim: (key, body) => received(of(key).claim(key, body)),
    callback: async (call) => received(holder(call).settle('callback', await wired(call))),
    ack: async (call) => received(holder(call).settle('ack', await wired(call))),
    release: async (call) => received(holder(call).release(await wired(call))),
    jwks: { keys: [publicJwk] },
  };
}

async function wired({ body, ...call }: HolderCall): Promise<WireHolderCall> {
  return { ...call, body: await body() };
}
