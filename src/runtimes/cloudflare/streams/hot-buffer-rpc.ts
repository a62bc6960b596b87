/** The RPC methods of a stream's object, for the Worker, the objects of its forks and its tenant's object. */
import type { StreamOperations } from '../../../api/streams/serve.js';
import type {
  AppendOutcome,
  Position,
  StreamState,
  StreamStore,
  StreamTiming,
  TimingQuery,
} from '../../../streams/index.js';
import type { EdgeEnv } from '../edge-env.js';
import { objectById, objectOf } from '../placement.js';
import type { ProxyRpc } from '../proxy/proxy-rpc.js';
import type { WireFault, WireResult } from '../wire-faults.js';

/** A protocol call in its serialisable form. */
export interface WireCall {
  readonly id: string;
  readonly url: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** The stream that `Stream-Forked-From` names, if it names one. */
  readonly forkedFrom?: string;
  readonly reader?: ReaderName;
}

/** Identifies a reader that may leave before its response ends. */
export type ReaderName = string;

export interface WireResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | ReadableStream<Uint8Array>;
  readonly error?: WireFault;
}

export type StreamVerb = keyof StreamOperations;

export interface HotBufferRpc extends ProxyRpc {
  operate(verb: StreamVerb, call: WireCall): Promise<WireResult<WireResponse>>;
  readerLeft(reader: ReaderName): Promise<void>;
  /** Calls a method of the store's port on this object's own stream. */
  storeCall(method: keyof StreamStore, args: readonly unknown[]): Promise<WireResult<unknown>>;
  find(id: string): Promise<WireResult<StreamState | undefined>>;
  timing(id: string, query: TimingQuery): Promise<WireResult<StreamTiming>>;
  gaveOut(stream: StreamState, at: Position): Promise<WireResult<boolean>>;
  appendMessage(id: string, message: string): Promise<WireResult<AppendOutcome['kind']>>;
  /** Deletes the segments of a removal from the bucket. */
  purge(ticket: string): Promise<WireResult<void>>;
  /** Takes the keys of this object's segments in the bucket, and deletes those that its stream does not refer to. */
  review(keys: readonly string[]): Promise<WireResult<void>>;
}

export function hotBufferOf(env: EdgeEnv, streamId: string): HotBufferRpc {
  return objectOf(env, 'HotBuffer', streamId);
}

/** The same by the object's own id, for callers that do not know its stream. */
export function hotBufferBy(env: EdgeEnv, objectId: string): HotBufferRpc {
  return objectById(env, 'HotBuffer', objectId);
}
