// The two sides of the suite benchmark, in their own process: JSON pages with the headers of an ordinary site.
import { createServer } from 'node:http';

const ITEMS = Array.from({ length: 12 }, (_, id) => ({
  id,
  name: `item ${id}`,
  price: id * 3,
  tags: ['a', 'b'],
}));

/** @param {string} side */
function start(side) {
  const server = createServer((request, response) => {
    response.writeHead(request.method === 'OPTIONS' ? 204 : 200, {
      'content-type': 'application/json',
      'cache-control': 'public, max-age=60',
      etag: '"v1"',
      vary: 'accept-encoding',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'self'",
      'strict-transport-security': 'max-age=31536000',
      'referrer-policy': 'no-referrer',
      server: 'bench',
    });
    response.end(
      request.method === 'GET' ? JSON.stringify({ path: request.url, side, items: ITEMS }) : undefined,
    );
  });
  server.keepAliveTimeout = 60_000;
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(address && typeof address === 'object' ? address.port : 0);
    });
  });
}

process.send?.([await start('left'), await start('right')]);
process.on('disconnect', () => process.exit(0));
