/** A small HTTP server on loopback for the demo: takes a path, sends a web `Response`. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { LocalHandler, LocalSite } from '../../cli/ports.js';

export async function listenLocally(answer: LocalHandler): Promise<LocalSite> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    void send(answer({ path: pathname }), response, request.method === 'HEAD');
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

async function send(answer: Response, response: ServerResponse, isHead: boolean): Promise<void> {
  for (const [name, value] of answer.headers) if (name !== 'set-cookie') response.setHeader(name, value);
  const cookies = answer.headers.getSetCookie();
  if (cookies.length > 0) response.setHeader('set-cookie', cookies);
  response.writeHead(answer.status);
  response.end(isHead ? undefined : Buffer.from(await answer.arrayBuffer()));
}
