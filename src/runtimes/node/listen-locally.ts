/** A small HTTP server on loopback for the demo. Its handler takes a path and returns a web `Response`. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import type { LocalHandler, LocalSite } from '../../cli/ports.js';

export async function listenLocally(respond: LocalHandler): Promise<LocalSite> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    // Fails only if the client has disconnected.
    void send(respond({ path: pathname }), response, request.method === 'HEAD').catch(() => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** All other responses are sent with their length, as a real shop would. */
function isStreamed({ headers }: Response): boolean {
  return headers.get('content-type') === 'text/event-stream';
}

async function send(reply: Response, response: ServerResponse, isHead: boolean): Promise<void> {
  for (const [name, value] of reply.headers) if (name !== 'set-cookie') response.setHeader(name, value);
  const cookies = reply.headers.getSetCookie();
  if (cookies.length > 0) response.setHeader('set-cookie', cookies);
  response.writeHead(reply.status);
  if (isHead || !reply.body || !isStreamed(reply)) {
    return void response.end(isHead ? undefined : Buffer.from(await reply.arrayBuffer()));
  }
  await pipeline(Readable.fromWeb(reply.body as NodeReadableStream<Uint8Array>), response);
}
