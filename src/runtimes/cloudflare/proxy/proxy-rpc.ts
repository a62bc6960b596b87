/** The RPC interface of a proxied stream's object, in addition to its stream. */
import type { HeaderList } from '../../../net/index.js';
import type { AttemptFacts } from '../../../proxy/index.js';
import type { ReaderName, WireResponse } from '../streams/hot-buffer-rpc.js';
import type { WireResult } from '../wire-faults.js';

/** A request to send upstream, in its serialisable form. */
export interface WireProxyCall {
  /** The stream in which the response is recorded. */
  readonly id: string;
  readonly tenant: string;
  readonly headers: HeaderList;
  readonly body: Uint8Array;
  /** The base of absolute URLs of this server. */
  readonly base: string;
  /** A request through a route, which the Worker has admitted. */
  readonly inline?: { readonly method: string; readonly route: string; readonly rest: string };
  readonly reader?: ReaderName;
}

export interface WireProxyRead {
  readonly id: string;
  readonly tenant: string | null;
  readonly query: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly reader?: ReaderName;
}

export interface WireAbort {
  readonly tenant: string;
  readonly key: string | null;
  readonly query: string;
}

export interface ProxyRpc {
  initializeProxy(call: WireProxyCall): Promise<WireResult<WireResponse>>;
  getMetadata(read: WireProxyRead): Promise<WireResult<WireResponse>>;
  readProxy(read: WireProxyRead): Promise<WireResult<WireResponse>>;
  proxyAbortUpstream(id: string, query: string): Promise<WireResult<WireResponse>>;
  abortCreate(abort: WireAbort): Promise<WireResult<WireResponse>>;
  delete(id: string, tenant: string): Promise<WireResult<WireResponse>>;
  listAttempts(id: string, tenant: string): Promise<WireResult<readonly AttemptFacts[]>>;
}
