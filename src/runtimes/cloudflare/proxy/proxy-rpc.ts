/** What the object of a proxied stream is asked for besides its stream, in the seed's own words. */
import type { HeaderList } from '../../../net/index.js';
import type { ReaderName, WireAnswer } from '../streams/hot-buffer-rpc.js';
import type { WireResult } from '../wire-faults.js';

/** A request to be sent upstream, as it travels. */
export interface WireProxyCall {
  /** Of the stream that the answer is recorded in. */
  readonly id: string;
  readonly tenant: string;
  readonly headers: HeaderList;
  readonly body: Uint8Array;
  /** What absolute URLs of this server begin with. */
  readonly base: string;
  /** For a request below `/r/`. */
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

/** A request to be stopped by its key. */
export interface WireAbort {
  readonly tenant: string;
  readonly key: string | null;
  readonly query: string;
}

export interface ProxyRpc {
  initializeProxy(call: WireProxyCall): Promise<WireResult<WireAnswer>>;
  getMetadata(read: WireProxyRead): Promise<WireResult<WireAnswer>>;
  readProxy(read: WireProxyRead): Promise<WireResult<WireAnswer>>;
  proxyAbortUpstream(id: string, query: string): Promise<WireResult<WireAnswer>>;
  abortCreate(abort: WireAbort): Promise<WireResult<WireAnswer>>;
  delete(id: string, tenant: string): Promise<WireResult<WireAnswer>>;
}
