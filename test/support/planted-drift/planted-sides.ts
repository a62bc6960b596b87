/**
 * Two environments over real sockets, TLS and all, that answer as a case says. Their names stand for loopback in the
 * door alone; the right side has one listener for each certificate and TLS that a case may ask for.
 */
import { readFileSync } from 'node:fs';
import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttps, type ServerOptions } from 'node:https';
import { computeDiff, type EnvDiff, HostSlots } from '../../../src/compare/index.js';
import {
  createActiveProbe,
  identifyEnvelope,
  type Side,
  type SignalEnvelope,
} from '../../../src/probe/index.js';
import { createCaresResolver } from '../../../src/runtimes/node/egress/cares-resolver.js';
import { createNodeInspector } from '../../../src/runtimes/node/egress/node-inspector.js';
import { createDoor } from '../../../src/runtimes/node/net.js';
import { type Listening, track } from '../listen.js';
import {
  type Answer,
  type Answering,
  type DriftCase,
  LEFT_HOST,
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
    if (request.url === '/robots.txt') return response.writeHead(404).end();
    return answer(own ?? {}, { request, response, turn: turns[side]++ });
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
  return {
    async compare(given) {
      planted = given;
      turns.left = 0;
      turns.right = 0;
      const ports = { left: left.port, right: rights.get(given.tls ?? 'right')?.port ?? 0 };
      return comparePlanted(given, {
        secure: ports,
        plain: { left: plain.left.port, right: plain.right.port },
      });
    },
    async close() {
      for (const one of [left, ...rights.values(), plain.left, plain.right]) await one.close();
    },
  };
}

interface Asked {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly turn: number;
}

function answer(own: Answering, { request, response, turn }: Asked): void {
  const {
    status = 200,
    headers = {},
    body = '',
    delayMs = 0,
    drop,
  }: Answer = typeof own === 'function' ? own(request, turn) : own;
  if (drop) return void request.socket.destroy();
  const send = () => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value as string | string[]);
    response.writeHead(status).end(request.method === 'HEAD' ? undefined : body);
  };
  if (delayMs > 0) setTimeout(send, delayMs);
  else send();
}

type Ports = Readonly<Record<'secure' | 'plain', Readonly<Record<Side, number>>>>;

async function comparePlanted(planted: DriftCase, { secure, plain }: Ports): Promise<EnvDiff> {
  const names = { left: LEFT_HOST, right: RIGHT_HOST };
  const door = createDoor({
    ca: CA,
    allowPrivate: Object.values(names).flatMap((name) => [`https://${name}`, `http://${name}`]),
    connectTo: {
      [`${LEFT_HOST}:443`]: `127.0.0.1:${secure.left}`,
      [`${RIGHT_HOST}:443`]: `127.0.0.1:${secure.right}`,
      [`${LEFT_HOST}:80`]: `127.0.0.1:${plain.left}`,
      [`${RIGHT_HOST}:80`]: `127.0.0.1:${plain.right}`,
    },
  });
  const { at, samples = 3, leftHeaders = [] } = planted;
  const provider = createActiveProbe({
    egress: door.egress,
    inspector: createNodeInspector({ policy: door.egress.policy, resolver: createCaresResolver({}), ca: CA }),
    clock: at === undefined ? Date.now : () => Date.parse(at),
    runner: 'node',
  });
  const slots = new HostSlots(1);
  const taken: Record<Side, SignalEnvelope[]> = { left: [], right: [] };
  try {
    for (let n = 1; n <= samples; n += 1) {
      for (const side of ['left', 'right'] as const) {
        const url = `https://${names[side]}/planted`;
        const headers = side === 'left' ? leftHeaders : [];
        // Timing is judged by many samples, for which the further questions would only cost time.
        const context = { profile: 'full' as const, exchanges: n === 1 && samples < 5, headers };
        const seen = await slots.use(url, () => provider.probe(url, context));
        taken[side].push(identifyEnvelope(seen, { comparisonId: 'planted', side, sample: n }));
      }
    }
  } finally {
    await door.close();
  }
  return computeDiff(taken.left, taken.right, { samples });
}
