/** An object that sends single hops through the edge's egress and lets a test control them. */
import { DurableObject } from 'cloudflare:workers';
import {
  createFetchEgress,
  createPolicy,
  type HopResponse,
  type HopTimings,
  refusalError,
} from '../../../src/net/index.js';
import { createConsoleLog } from '../../../src/runtimes/cloudflare/console-log.js';
import { decodedStream } from '../../../src/runtimes/cloudflare/egress/decoded-stream.js';
import { createDohResolver } from '../../../src/runtimes/cloudflare/egress/doh-resolver.js';
import { type WireResult, wrap } from '../../../src/runtimes/cloudflare/wire-faults.js';
import type { WireHead, WireHop } from '../../support/wire-hop.js';

interface Hop {
  readonly stop: AbortController;
  response?: HopResponse;
}

export class HopObject extends DurableObject<Record<string, never>> {
  readonly #hops = new Map<string, Hop>();
  readonly #log = createConsoleLog('error');

  send(id: string, { url, allowPrivate, body, ...rest }: WireHop): Promise<WireResult<WireHead>> {
    return wrap(this.#log, async () => {
      const policy = createPolicy({ allowPrivate });
      const resolver = createDohResolver('http://127.0.0.1:9/nobody-is-asked');
      const egress = createFetchEgress({
        policy,
        resolver,
        userAgent: 'SondeBot/1.0',
        fetch,
        decode: decodedStream,
      });
      const verdict = policy.judgeUrl(url);
      if (!verdict.ok) throw refusalError(verdict.refusal);
      const hop = this.#hop(id);
      const response = await egress.send({
        ...rest,
        target: verdict.target,
        signal: hop.stop.signal,
        ...(body && { body: body instanceof Uint8Array ? body : streamOf(body) }),
      });
      hop.response = response;
      return { status: response.status, headers: response.headers };
    });
  }

  read(id: string): Promise<WireResult<Uint8Array | undefined>> {
    return wrap(this.#log, async () => this.#hops.get(id)?.response?.body.read());
  }

  timings(id: string): HopTimings {
    return this.#hops.get(id)?.response?.timings() ?? {};
  }

  cancel(id: string): void {
    this.#hops.get(id)?.response?.body.cancel();
  }

  abort(id: string): void {
    this.#hop(id).stop.abort();
  }

  /** Calls travel on separate connections, so the one that aborts may arrive before the one that sends. */
  #hop(id: string): Hop {
    const hop = this.#hops.get(id) ?? { stop: new AbortController() };
    this.#hops.set(id, hop);
    return hop;
  }
}

async function* streamOf(pieces: readonly Uint8Array[]): AsyncIterable<Uint8Array> {
  yield* pieces;
}

// biome-ignore lint/style/noDefaultExport: the platform requires it
export default { fetch: () => new Response(null, { status: 404 }) };
