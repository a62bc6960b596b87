/** The RPC methods of a tenant's object. */
import type { ChangePage } from '../../../api/changes/change.js';
import type { HolderCall, StreamListPage, StreamListQuery, SubscriptionKey } from '../../../streams/index.js';
import type { EdgeEnv } from '../edge-env.js';
import { objectOf } from '../placement.js';
import type { WireResult } from '../wire-faults.js';
import type { ReportedStream } from './listed-streams.js';

type View = Record<string, unknown>;

/** A call with its body, because functions cannot be sent. */
export type WireHolderCall = Omit<HolderCall, 'body'> & { readonly body: Uint8Array };

export interface LedgerRpc {
  /** Reports that a stream was created, changed or removed (undefined). Resolves once that is stored. */
  streamChanged(
    id: string,
    stream: ReportedStream | undefined,
  ): Promise<WireResult<{ readonly followed: boolean }>>;
  /** Returns the tenant's changes after `after` as soon as there are any, or none after a timeout. */
  changes(tenantId: string, after: string | undefined): Promise<WireResult<ChangePage>>;
  listStreams(query: StreamListQuery): Promise<WireResult<StreamListPage>>;
  createSubscription(
    key: SubscriptionKey,
    request: { readonly body: Uint8Array; readonly baseUrl: string },
  ): Promise<WireResult<{ readonly created: boolean; readonly view: View }>>;
  viewSubscription(key: SubscriptionKey): Promise<WireResult<View>>;
  removeSubscription(key: SubscriptionKey): Promise<WireResult<void>>;
  addStreams(key: SubscriptionKey, body: Uint8Array): Promise<WireResult<void>>;
  removeStream(key: SubscriptionKey, path: string): Promise<WireResult<void>>;
  claim(key: SubscriptionKey, body: Uint8Array): Promise<WireResult<View>>;
  settle(how: 'callback' | 'ack', call: WireHolderCall): Promise<WireResult<View>>;
  release(call: WireHolderCall): Promise<WireResult<void>>;
}

export function ledgerOf(env: EdgeEnv, tenant: string): LedgerRpc {
  return objectOf(env, 'AuditLedger', tenant);
}

export function fromWire({ body, ...call }: WireHolderCall): HolderCall {
  return { ...call, body: async () => body };
}
