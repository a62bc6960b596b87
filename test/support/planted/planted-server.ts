/**
 * Serves a planted site on loopback under its public names: TLS (h2 and http/1.1) and plain http, reached through the
 * egress layer's real settings (`connectTo`, `allowPrivate`, `ca`). A second host stands for other sites.
 */

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http';
import { createSecureServer } from 'node:http2';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { OutboundOptions } from '../../../src/runtimes/node/net.js';
import type { AskedBy, PlantedResponse, PlantedSite } from './planted-site.js';

const pem = (name: string) =>
  readFileSync(new URL(`../../fixtures/audit-tls/${name}.pem`, import.meta.url), 'utf8');

export const HOSTS = ['example.com', 'www.example.com', 'blog.example.com', 'other.example.net'] as const;

export interface PlantedServer {
  readonly outbound: OutboundOptions;
  /** Requests so far, as `METHOD scheme://host/path`. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

export async function servePlanted(site: PlantedSite): Promise<PlantedServer> {
  const asked: string[] = [];
  const handle = (scheme: 'http' | 'https') => (request: IncomingMessage, response: ServerResponse) => {
    const host = String(request.headers.host ?? '').split(':')[0] ?? '';
    const by: AskedBy = {
      path: request.url ?? '/',
      method: request.method ?? 'GET',
      userAgent: request.headers['user-agent'] ?? '',
      host,
      scheme,
    };
    asked.push(`${by.method} ${scheme}://${host}${by.path}`);
    const reply = host === 'other.example.net' ? otherSite(by) : site.respond(by);
    void send(request, response, reply);
  };
  const tls = { key: pem('server-key'), cert: pem('server') };
  const https = site.h2
    ? createSecureServer(
        { ...tls, allowHTTP1: true },
        handle('https') as unknown as Parameters<typeof createSecureServer>[1],
      )
    : createHttps(tls, handle('https'));
  const [secure, plain] = await Promise.all([listen(https), listen(createHttp(handle('http')))]);
  const connectTo = Object.fromEntries(
    HOSTS.flatMap((host) => [
      [`${host}:443`, `127.0.0.1:${secure.port}`],
      [`${host}:80`, `127.0.0.1:${plain.port}`],
    ]),
  );
  return {
    outbound: {
      ca: pem('ca'),
      connectTo,
      allowPrivate: HOSTS.flatMap((host) => [`https://${host}`, `http://${host}`]),
    },
    asked,
    close: async () => {
      await Promise.all([secure.close(), plain.close()]);
    },
  };
}

/** Another site that pages may link to: only `/ok` exists. */
function otherSite({ path }: AskedBy): PlantedResponse & { compress: boolean } {
  const status = path === '/ok' ? 200 : 404;
  return {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body: '<p>another site</p>',
    compress: false,
  };
}

async function send(
  request: IncomingMessage,
  response: ServerResponse,
  reply: PlantedResponse & { compress: boolean },
): Promise<void> {
  if (reply.delayMs) await new Promise((resolve) => setTimeout(resolve, reply.delayMs));
  const body =
    typeof reply.body === 'string' ? Buffer.from(reply.body) : Buffer.from(reply.body ?? new Uint8Array());
  const headers: Record<string, string | readonly string[]> = { ...reply.headers };
  if (reply.status === 200 && headers['etag'] === undefined && body.length > 0) {
    headers['etag'] = `"${createHash('sha256').update(body).digest('hex').slice(0, 16)}"`;
  }
  // An empty value removes the header.
  for (const [name, value] of Object.entries(headers)) if (value === '') delete headers[name];
  const validator = request.headers['if-none-match'];
  if (validator !== undefined && validator === headers['etag']) {
    response.writeHead(304, { etag: validator }).end();
    return;
  }
  const text = /^(?:text\/|application\/(?:xml|json|javascript))/.test(String(headers['content-type'] ?? ''));
  const packed =
    reply.compress &&
    text &&
    body.length > 1024 &&
    /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
  const sent = packed ? gzipSync(body) : body;
  const all = {
    ...headers,
    ...(packed && { 'content-encoding': 'gzip', vary: 'accept-encoding' }),
    'content-length': String(sent.length),
  };
  response.writeHead(reply.status, all as Record<string, string>);
  response.end(request.method === 'HEAD' ? undefined : sent);
}

async function listen(server: Server): Promise<{ port: number; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  for (const event of ['connection', 'secureConnection']) {
    server.on(event, (socket: Socket) => {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => sockets.delete(socket));
    });
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
