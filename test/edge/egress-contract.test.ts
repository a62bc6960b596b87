/** Runs the egress contract against the edge's egress layer in workerd. */
import type { Miniflare } from 'miniflare';
import { afterAll, beforeAll, describe } from 'vitest';
import { createPolicy, type Egress, type HopRequest, type HopTimings } from '../../src/net/index.js';
import { unwrap, type WireResult } from '../../src/runtimes/cloudflare/wire-faults.js';
import { egressContract } from '../contract/egress-contract.js';
import { startEdgeFixture } from '../support/edge-fixture.js';
import type { WireHead, WireHop } from '../support/wire-hop.js';

interface HopStub {
  send(id: string, hop: WireHop): Promise<WireResult<WireHead>>;
  read(id: string): Promise<WireResult<Uint8Array | undefined>>;
  timings(id: string): Promise<HopTimings>;
  cancel(id: string): Promise<void>;
  abort(id: string): Promise<void>;
}

let workerd: Miniflare;
let hops = 0;

beforeAll(async () => {
  workerd = await startEdgeFixture('hops', { objects: { HOPS: 'HopObject' } });
});
afterAll(() => workerd.dispose());

/** The port runs here, the engine in workerd: every hop, piece and cancellation is a call. */
async function remoteEgress(origin: string): Promise<Egress> {
  const namespace = await workerd.getDurableObjectNamespace('HOPS');
  const stub = namespace.get(namespace.idFromName('hops')) as unknown as HopStub;
  return {
    assurance: 'checked',
    policy: createPolicy({ allowPrivate: [origin] }),
    send: (request) => sendThere(stub, origin, request),
    close: async () => undefined,
  };
}

async function sendThere(stub: HopStub, origin: string, request: HopRequest) {
  const { target, method, headers, limits, signal } = request;
  const id = String(hops++);
  const body = await bodyOf(request.body);
  const hop: WireHop = { url: target.url.href, allowPrivate: [origin], method, headers, limits };
  // Calls may overtake each other, so an aborted signal has to arrive before the request is sent.
  if (signal?.aborted) await stub.abort(id);
  const head = stub.send(id, body === undefined ? hop : { ...hop, body });
  signal?.addEventListener('abort', () => void stub.abort(id));
  const { status, headers: answered } = await unwrap(head);
  let timings: HopTimings = await stub.timings(id);
  return {
    status,
    headers: answered,
    connection: {},
    timings: () => timings,
    body: {
      async read() {
        const piece = await unwrap(stub.read(id));
        timings = await stub.timings(id);
        return piece;
      },
      cancel: () => void stub.cancel(id),
    },
  };
}

async function bodyOf(body: HopRequest['body']): Promise<WireHop['body']> {
  if (body === undefined || body instanceof Uint8Array) return body;
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  return pieces;
}

describe('the egress of the edge', () => {
  egressContract(remoteEgress, ['emptyCodedBody', 'tellsReset', 'tellsConnecting']);
});
