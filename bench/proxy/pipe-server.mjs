// A plain pipe: the cost of a proxy that stores nothing. undici towards the upstream, node:http towards the caller.
import { createServer } from 'node:http';
import { pipeline } from 'node:stream';
import { Agent, request } from 'undici';

const upstream = process.argv[2];
const dispatcher = new Agent({ connections: 4096 });
const server = createServer(async (incoming, outgoing) => {
  incoming.resume();
  const response = await request(`${upstream}${incoming.url}`, { dispatcher });
  outgoing.writeHead(response.statusCode, { 'content-type': String(response.headers['content-type']) });
  pipeline(response.body, outgoing, () => {});
});
// The benchmark's client reuses sockets after pauses, so none may close.
server.keepAliveTimeout = 120_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  console.log(JSON.stringify({ url: `http://127.0.0.1:${address.port}` }));
});
process.once('SIGTERM', () => process.exit());
