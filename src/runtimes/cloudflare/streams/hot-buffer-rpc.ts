/** The RPC methods of a stream's object, for the Worker, the objects of its forks and its tenant's ledger. */
import type { StreamOperations } from '../../../api/routes/stream-operations.js';
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

/** A call of the protocol as it travels. */
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

/** By which a reader is known that may go before its response is over. */
export type ReaderName = string;

export interface WireResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | ReadableStream<Uint8Array>;
  readonly error?: WireFault;
}

export type StreamVerb = keyof StreamOperations<unknown>;

export interface HotBufferRpc extends ProxyRpc {
  operate(verb: StreamVerb, call: WireCall): Promise<WireResult<WireResponse>>;
  /** The reader of that name has left. */
  readerLeft(reader: ReaderName): Promise<void>;
  /** An operation of the store's port on this object's own stream. */
  storeCall(method: keyof StreamStore, args: readonly unknown[]): Promise<WireResult<unknown>>;
  find(id: string): Promise<WireResult<StreamState | undefined>>;
  timing(id: string, query: TimingQuery): Promise<WireResult<StreamTiming>>;
  gaveOut(stream: StreamState, at: Position): Promise<WireResult<boolean>>;
  appendMessage(id: string, message: string): Promise<WireResult<AppendOutcome['kind']>>;
  /** Segments that a removal left are taken out of the bucket. */
  purge(ticket: string): Promise<WireResult<void>>;
  /** Segments that are in the bucket in this object's name: those that its stream does not hold are to go. */
  review(keys: readonly string[]): Promise<WireResult<void>>;
}

/** The object of a stream. */
export function hotBufferOf(env: EdgeEnv, streamId: string): HotBufferRpc {
  return objectOf(env, 'HotBuffer', streamId);
}

/** The same by the object's own id, for callers that do not know its stream. */
export function hotBufferBy(env: EdgeEnv, objectId: string): HotBufferRpc {
  return objectById(env, 'HotBuffer', objectId);
}
