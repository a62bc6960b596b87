/**
 * One connection slot of the pool. It opens the socket under the policy (judge the literal or all resolved addresses,
 * dial only those, judge the peer), counts raw bytes, and tracks which exchange uses it. undici runs one request per
 * slot (pipelining 1), so bytes on the wire belong to exactly one exchange. undici's own size limits count after the
 * parser and do not include framing.
 */
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type buildConnector, Client, type Dispatcher } from 'undici';
import {
  type ConnectionFacts,
  type Policy,
  type Resolver,
  refusalError,
  type Target,
} from '../../../net/index.js';
import type { Dialer, Dialled } from './dialer.js';
import type { Exchange } from './exchange.js';
import { toNetError } from './net-errors.js';

export interface LineDeps {
  readonly policy: Policy;
  readonly resolver: Resolver;
  readonly dialer: Dialer;
}

/** undici passes its dispatch options on unchanged, which is how a line gets its exchange. */
export interface LineDispatchOptions {
  readonly exchange: Exchange;
}

export class Line {
  readonly #deps: LineDeps;
  #exchange: Exchange | undefined;
  #facts: ConnectionFacts = {};
  #opening: AbortController | undefined;
  #metered: { bytesRead?: number } = {};
  #meteredFrom = 0;

  constructor(deps: LineDeps) {
    this.#deps = deps;
  }

  get facts(): ConnectionFacts {
    return this.#facts;
  }

  /** Bytes received since the current exchange was sent. */
  get wireBytes(): number {
    return (this.#metered.bytesRead ?? 0) - this.#meteredFrom;
  }

  assign(exchange: Exchange): void {
    this.#exchange = exchange;
    exchange.line = this;
  }

  /** Call it before the exchange's request is written. */
  startMeter(): void {
    this.#meteredFrom = this.#metered.bytesRead ?? 0;
  }

  /** Aborts a connect that is no longer needed. */
  abandon(exchange: Exchange, reason: Error): void {
    if (this.#exchange === exchange) this.#opening?.abort(reason);
  }

  readonly connect: buildConnector.connector = (_options, callback) => {
    this.#open().then(
      // undici types its sockets as net.Socket and uses them as any Duplex.
      (socket) => callback(null, socket as Socket),
      (error: Error) => callback(error, null),
    );
  };

  async #open(): Promise<Duplex> {
    const exchange = this.#exchange;
    if (!exchange) throw new Error('a line opens only for an exchange');
    const opening = new AbortController();
    this.#opening = opening;
    try {
      const dialled = await this.#dial(exchange, opening.signal);
      this.#adopt(dialled, exchange.request.target);
      return dialled.socket;
    } finally {
      this.#opening = undefined;
    }
  }

  async #dial(exchange: Exchange, signal: AbortSignal): Promise<Dialled> {
    const { policy, resolver, dialer } = this.#deps;
    const { target } = exchange.request;
    if (exchange.settled) throw new Error('the exchange ended before its line opened');
    const addresses = target.fixed ? [target.fixed.address] : await this.#resolve(exchange, resolver, signal);
    const refusal = policy.judgeResponse(target, addresses);
    if (refusal) throw refusalError(refusal);
    return dialer.dial(
      {
        target,
        addresses,
        port: target.fixed?.port ?? target.port,
        judgePeer(address) {
          const refused = policy.judgePeer(target, address);
          if (refused) throw refusalError(refused);
        },
      },
      signal,
    );
  }

  async #resolve(exchange: Exchange, resolver: Resolver, signal: AbortSignal): Promise<readonly string[]> {
    const startedAt = performance.now();
    try {
      return await resolver.resolve(exchange.request.target, signal);
    } catch (thrown) {
      throw toNetError(thrown, 'dns');
    } finally {
      exchange.phases.dns = performance.now() - startedAt;
    }
  }

  #adopt(dialled: Dialled, target: Target): void {
    const { socket, address, connectMs, tls } = dialled;
    this.#metered = socket as { bytesRead?: number };
    this.#meteredFrom = 0;
    this.#facts = {
      address,
      port: target.fixed?.port ?? target.port,
      ...(tls?.alpn && { alpn: tls.alpn }),
      ...(tls?.version && { tlsVersion: tls.version }),
      ...(tls?.certificate && { certificate: tls.certificate }),
    };
    if (this.#exchange) {
      this.#exchange.phases.connect = connectMs;
      if (tls) this.#exchange.phases.tls = tls.ms;
    }
    // Registered before undici's own listener, so that excess bytes are detected before they are parsed.
    socket.on('readable', this.#onReadable);
    // undici treats a reset as the normal end of a body without a length. It must be an error.
    socket.on('error', this.#onError);
  }

  readonly #onError = (error: Error): void => {
    this.#exchange?.onSocketError(error);
  };

  readonly #onReadable = (): void => {
    this.#exchange?.onWire(this.wireBytes);
  };
}

export class GuardedClient extends Client {
  readonly #line: Line;

  constructor(origin: string | URL, options: Client.Options, line: Line) {
    super(origin, { ...options, connect: line.connect });
    this.#line = line;
  }

  override dispatch(
    options: Dispatcher.DispatchOptions & Partial<LineDispatchOptions>,
    handler: object,
  ): boolean {
    if (options.exchange) this.#line.assign(options.exchange);
    return super.dispatch(options, handler);
  }
}
