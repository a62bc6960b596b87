/**
 * Two environments over real sockets, including TLS, that respond as a case specifies. Only the egress layer maps their
 * names to loopback; the right side has one listener for each certificate and TLS version that a case may need.
 */
import { readFileSync } from 'node:fs';
import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttps, type ServerOptions } from 'node:https';
import { computeDiff, type EnvDiff } from '../../../src/compare/index.js';
import {
  createActiveProbe,
  type ISignalProvider,
  identifyEnvelope,
  type Side,
  type SignalEnvelope,
} from '../../../src/probe/index.js';
import { createCaresResolver } from '../../../src/runtimes/node/egress/cares-resolver.js';
import { createNodeInspector } from '../../../src/runtimes/node/egress/node-inspector.js';
import { createOutboundClient } from '../../../src/runtimes/node/net.js';
import { type Listening, track } from '../listen.js';
import {
  type CannedResponse,
  type DriftCase,
  LEFT_HOST,
  type Responder,
  RIGHT_HOST,
  type RightTls,
} from './drift-case.js';

const pem = (name: string) =>
  readFileSync(new URL(`../../fixtures/compare-tls/${name}.pem`, import.meta.url), 'utf8');
const MODERN: ServerOptions = { ALPNProtocols: ['h2', 'http/1.1'] };
const TLS: Readonly<Record<RightTls, ServerOptions>> = {
  right: MODERN,
  other: MODERN,
  untrusted: MODERN,
  old: { maxVersion: 'TLSv1.2', ALPNProtocols: ['http/1.1'] },
};
const CA = `${pem('ca')}\n${pem('other-ca')}`;

export interface PlantedSides {
  /** Takes the samples of both sides for a comparison. */
  take(planted: DriftCase): Promise<Taken>;
  compare(planted: DriftCase): Promise<EnvDiff>;
  close(): Promise<void>;
}

export async function openPlantedSides(): Promise<PlantedSides> {
  let planted: DriftCase | undefined;
  const turns = { left: 0, right: 0 };
  const handler = (side: Side, plain: boolean) => (request: IncomingMessage, response: ServerResponse) => {
    const own = plain ? planted?.http?.right : planted?.[side];
    const host = side === 'left' ? LEFT_HOST : RIGHT_HOST;
    if (plain && (side === 'left' || own === undefined))
      return response.writeHead(301, { location: `https://${host}${request.url}` }).end();
    if (request.url === '/robots.txt') {
      return sendRobots(response, planted?.robots?.[side]);
    }
    return respond(own ?? {}, { request, response, turn: turns[side]++ });
  };
  const secure = (name: string, options: ServerOptions, side: Side) =>
    track(
      createHttps({ ...options, key: pem(`${name}-key`), cert: pem(name) }, handler(side, false)),
      'https',
    );
  const left = await secure('left', MODERN, 'left');
  const rights = new Map<RightTls, Listening>();
  for (const [name, options] of Object.entries(TLS) as [RightTls, ServerOptions][]) {
    rights.set(name, await secure(name === 'old' ? 'right' : name, options, 'right'));
  }
  const plain = {
    left: await track(createHttp(handler('left', true))),
    right: await track(createHttp(handler('right', true))),
  };
  const probes = new Probes({ left: plain.left.port, right: plain.right.port });
  const take = (given: DriftCase): Promise<Taken> => {
    planted = given;
    turns.left = 0;
    turns.right = 0;
    const ports = { left: left.port, right: rights.get(given.tls ?? 'right')?.port ?? 0 };
    return takeSamples(given, probes.provider(ports, given.at));
  };
  return {
    take,
    async compare(given) {
      const taken = await take(given);
      const { samples = 3, candidate = 'right' } = given;
      return computeDiff(taken.left, taken.right, { samples, candidate });
    },
    async close() {
      await probes.close();
      for (const one of [left, ...rights.values(), plain.left, plain.right]) await one.close();
    },
  };
}

function sendRobots(response: ServerResponse, text: string | undefined) {
  if (text === undefined) return response.writeHead(404).end();
  return response.writeHead(200, { 'content-type': 'text/plain' }).end(text);
}

interface Asked {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly turn: number;
}

function respond(own: Responder, { request, response, turn }: Asked): void {
  const {
    status = 200,
    headers = {},
    body = '',
    delayMs = 0,
    drop,
  }: CannedResponse = typeof own === 'function' ? own(request, turn) : own;
  if (drop) return void request.socket.destroy();
  const send = () => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value as string | string[]);
    response.writeHead(status).end(request.method === 'HEAD' ? undefined : body);
  };
  if (delayMs > 0) setTimeout(send, delayMs);
  else send();
}

type Taken = Readonly<Record<Side, readonly SignalEnvelope[]>>;
type Ports = Readonly<Record<'secure' | 'plain', Readonly<Record<Side, number>>>>;

/**
 * One provider per certificate of the right side and time of the probe, so that connections and TLS contexts are
 * reused.
 */
class Probes {
  readonly #ports: Ports['plain'];
  readonly #clients = new Map<number, ReturnType<typeof createOutboundClient>>();

  constructor(plain: Ports['plain']) {
    this.#ports = plain;
  }

  provider(secure: Readonly<Record<Side, number>>, at: string | undefined): ISignalProvider {
    const outbound = this.#clients.get(secure.right) ?? this.#open(secure);
    this.#clients.set(secure.right, outbound);
    const resolver = createCaresResolver({});
    return createActiveProbe({
      egress: outbound.egress,
      inspector: createNodeInspector({ policy: outbound.egress.policy, resolver, ca: CA }),
      clock: at === undefined ? Date.now : () => Date.parse(at),
      runner: 'node',
    });
  }

  #open(secure: Readonly<Record<Side, number>>) {
    const names = [LEFT_HOST, RIGHT_HOST];
    return createOutboundClient({
      ca: CA,
      allowPrivate: names.flatMap((name) => [`https://${name}`, `http://${name}`]),
      connectTo: {
        [`${LEFT_HOST}:443`]: `127.0.0.1:${secure.left}`,
        [`${RIGHT_HOST}:443`]: `127.0.0.1:${secure.right}`,
        [`${LEFT_HOST}:80`]: `127.0.0.1:${this.#ports.left}`,
        [`${RIGHT_HOST}:80`]: `127.0.0.1:${this.#ports.right}`,
      },
    });
  }

  async close(): Promise<void> {
    for (const outbound of this.#clients.values()) await outbound.close();
  }
}

async function takeSamples(planted: DriftCase, provider: ISignalProvider): Promise<Taken> {
  const names = { left: LEFT_HOST, right: RIGHT_HOST };
  const { samples = 3, leftHeaders = [] } = planted;
  const taken: Record<Side, SignalEnvelope[]> = { left: [], right: [] };
  for (let n = 1; n <= samples; n += 1) {
    for (const side of ['left', 'right'] as const) {
      const headers = side === 'left' ? leftHeaders : [];
      // Timing needs many samples, for which the additional requests would only cost time.
      const context = { profile: 'full' as const, exchanges: n === 1 && samples < 5, headers };
      const seen = await provider.probe(`https://${names[side]}/planted`, context);
      taken[side].push(identifyEnvelope(seen, { comparisonId: 'planted', side, sample: n }));
    }
  }
  return taken;
}
