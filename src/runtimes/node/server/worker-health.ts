/**
 * The health, readiness and metrics of a standalone worker, on a port of its own. It answers three GET requests and
 * nothing else, and shows only counts, so it asks for no token; whoever opens it to a network decides who may read them.
 * On loopback it refuses a `Host` that is not, which means DNS rebinding by a web page.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ReadinessCheck } from '../../../api/app-env.js';
import { isLoopbackHost } from '../../../api/auth/loopback-host.js';
import type { Metrics } from '../../../api/metrics/metrics.js';
import { dependencyView, notReady, runCheck } from '../../../api/routes/ready.js';
import { SondeError } from '../../../errors.js';
import { errorBody, errorHeaders } from '../../../kernel/reply.js';
import type { Log } from '../../../log.js';
import { bracketed, urlOf } from './server-url.js';

export interface WorkerHealthOptions {
  readonly host: string;
  readonly port: number;
  readonly version: string;
  readonly metrics: Metrics;
  readonly readiness: readonly ReadinessCheck[];
  readonly stopping: () => boolean;
  readonly log: Log;
}

export interface WorkerHealth {
  readonly url: string;
  stop(): Promise<void>;
}

const REQUEST_MS = 10_000;
const CONNECTIONS_MAX = 64;

export async function openWorkerHealth(options: WorkerHealthOptions): Promise<WorkerHealth> {
  const { host, port, log } = options;
  const isLocal = isLoopbackHost(bracketed(host));
  const server = createServer(
    { headersTimeout: REQUEST_MS, requestTimeout: REQUEST_MS, keepAliveTimeout: REQUEST_MS },
    (request, response) => {
      const isForeign = isLocal && !isLoopbackHost(request.headers.host ?? '');
      const path = isForeign ? '' : (request.url ?? '').split('?')[0];
      const found = request.method === 'GET' ? respond(options, path ?? '') : undefined;
      void send(response, found).catch((error: unknown) => {
        log.error('request failed', { err: error });
        response.destroy();
      });
    },
  );
  server.maxConnections = CONNECTIONS_MAX;
  await new Promise<void>((done, fail) => {
    server.once('error', fail).listen({ host, port }, done);
  }).catch((cause: NodeJS.ErrnoException) => {
    throw new SondeError(
      'LISTEN_FAILED',
      `worker.healthPort: cannot listen on ${host}:${port} (${cause.code})`,
      {
        cause,
      },
    );
  });
  return {
    url: urlOf(host, (server.address() as AddressInfo).port),
    async stop() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

interface Found {
  readonly status: number;
  readonly body: string | object;
  readonly headers?: Readonly<Record<string, string>>;
}

function respond(options: WorkerHealthOptions, path: string): Promise<Found> | undefined {
  switch (path) {
    case '/api/health':
      return Promise.resolve({ status: 200, body: { status: 'ok', version: options.version } });
    case '/api/ready':
      return readiness(options);
    case '/metrics':
      return metricsText(options);
    default:
      return undefined;
  }
}

async function readiness({ readiness: checks, stopping, version, log }: WorkerHealthOptions): Promise<Found> {
  if (stopping())
    return errorOf(new SondeError('SERVER_STOPPING', 'The worker is finishing its running jobs.'));
  const outcomes = await Promise.all(checks.map((check) => runCheck(check, log)));
  if (outcomes.some(({ fault }) => fault !== undefined)) return errorOf(notReady(outcomes));
  const attention = checks.flatMap(({ notes }) => notes?.() ?? []);
  const body = { status: 'ready', version, dependencies: outcomes.map(dependencyView) };
  return { status: 200, body: { ...body, attentionCount: attention.length } };
}

async function metricsText({ metrics }: WorkerHealthOptions): Promise<Found> {
  await metrics.refresh();
  const headers = { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' };
  return { status: 200, body: metrics.render(), headers };
}

function errorOf(error: SondeError): Found {
  return { status: error.facts.status, body: errorBody(error), headers: errorHeaders(error) };
}

const UNKNOWN = errorOf(
  new SondeError('NOT_FOUND', 'A worker has GET /api/health, /api/ready and /metrics, on its own host name.'),
);

async function send(
  response: ServerResponse,
  found: Promise<Found> = Promise.resolve(UNKNOWN),
): Promise<void> {
  const { status, body, headers } = await found;
  const isText = typeof body === 'string';
  response.writeHead(status, {
    'Content-Type': 'application/json',
    ...headers,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  });
  response.end(isText ? body : JSON.stringify(body));
}
