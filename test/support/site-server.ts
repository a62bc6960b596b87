import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Listening, listenHttp } from './listen.js';

export const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Shop &amp; more</title>
<link rel="canonical" href="/shop"><meta name="robots" content="noindex"><meta property="og:title" content="Shop">
<link rel="stylesheet" href="/app.css" integrity="sha384-abc" crossorigin="anonymous"><script src="//cdn.example/x.js"></script>
</head><body><nav></nav><main><h1>Shop <em>now</em></h1><a href="/a?user=7">a</a><form action="/login" method="post">
<input type="password" name="pw"></form></main><script>let a = "</p>";</script></body></html>`;

export const SECRET = 'canary-4f9c2d71e8';

type Behaviour = (request: IncomingMessage, response: ServerResponse) => void;

/** The site that providers are tested against; every path is one thing a site may do. */
const BEHAVIOURS: Readonly<Record<string, Behaviour>> = {
  '/json': (_request, response) =>
    void response
      .writeHead(200, {
        'content-type': 'application/json',
        'cache-control': 'max-age=60',
        vary: 'accept',
        'access-control-allow-origin': '*',
        'access-control-expose-headers': 'etag',
        etag: '"v1"',
        'x-frame-options': 'DENY',
        'x-odd-name': 'odd',
        'set-cookie': [`sid=${SECRET}; Path=/; HttpOnly; Secure; SameSite=Lax`, 'theme=; Max-Age=0'],
      })
      .end(JSON.stringify({ id: 7, items: [{ name: 'one' }, { name: 'two' }], token: SECRET, none: null })),
  '/page': (_request, response) =>
    void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(PAGE),
  '/missing': (_request, response) =>
    void response.writeHead(404, { 'content-type': 'text/plain' }).end('no'),
  '/broken': (_request, response) => void response.writeHead(503).end('down'),
  '/empty': (_request, response) => void response.writeHead(204).end(),
  '/hang-up': (_request, response) => response.socket?.destroy(),
  '/loop': (_request, response) => void response.writeHead(302, { location: '/loop-2' }).end(),
  '/loop-2': (_request, response) => void response.writeHead(302, { location: '/loop' }).end(),
  '/lost': (_request, response) => void response.writeHead(302).end(),
  '/echo': (request, response) =>
    void response
      .writeHead(200, {
        'content-type': 'application/json',
        'content-language': String(request.headers['x-side'] ?? ''),
      })
      .end(JSON.stringify({ headers: request.headers, url: request.url })),
};

/** `/hops/N/…` redirects N times, each time with another of the five statuses, and then responds. */
const STATUSES = [301, 302, 303, 307, 308];

export function startSite(extra: Readonly<Record<string, Behaviour>> = {}): Promise<Listening> {
  const behaviours = { ...BEHAVIOURS, ...extra };
  return listenHttp((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const left = /^\/hops\/(\d+)$/.exec(pathname)?.[1];
    if (left !== undefined) {
      const n = Number(left);
      if (n === 0) return response.writeHead(200, { 'content-type': 'text/plain' }).end('there');
      return response.writeHead(STATUSES[n % 5] ?? 302, { location: `/hops/${n - 1}` }).end();
    }
    const behave = behaviours[pathname];
    return behave ? behave(request, response) : response.writeHead(404).end();
  });
}
