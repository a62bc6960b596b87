/** A response head in the form of the port. Header pairs are created only when they are read. */
import type { ConnectionFacts, HeaderPair, HopBody, HopResponse, HopTimings } from '../../../net/index.js';
import type { Exchange } from './exchange.js';

export type IncomingHeaders = Readonly<Record<string, string | string[] | undefined>>;

interface Head {
  readonly status: number;
  readonly headers: IncomingHeaders;
  readonly body: HopBody;
}

export class UndiciResponse implements HopResponse {
  readonly status: number;
  readonly body: HopBody;
  readonly #exchange: Exchange;
  readonly #facts: ConnectionFacts;
  readonly #incoming: IncomingHeaders;
  #headers: HeaderPair[] | undefined;

  constructor(exchange: Exchange, head: Head) {
    this.status = head.status;
    this.body = head.body;
    this.#incoming = head.headers;
    this.#exchange = exchange;
    this.#facts = exchange.line?.facts ?? {};
  }

  get headers(): readonly HeaderPair[] {
    this.#headers ??= pairsOf(this.#incoming);
    return this.#headers;
  }

  get connection(): ConnectionFacts {
    return { reused: this.#exchange.phases.connect === undefined, ...this.#facts };
  }

  timings(): HopTimings {
    return this.#exchange.timings();
  }
}

function pairsOf(headers: IncomingHeaders): HeaderPair[] {
  const pairs: HeaderPair[] = [];
  for (const name of Object.keys(headers)) {
    const value = headers[name] ?? '';
    if (typeof value === 'string') pairs.push([name, value]);
    else for (const each of value) pairs.push([name, each]);
  }
  return pairs;
}
