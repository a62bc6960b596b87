/**
 * Two deployments of one small shop, with planted drift of the kind that a team wants to find before its customers do.
 * `/health` is the same on both but full of noise, to show that noise is not reported as drift.
 */
export type DemoSide = 'staging' | 'production';

export const DEMO_PATHS = ['/', '/api/products', '/account', '/old-shop', '/health'] as const;

export interface DemoSites {
  /** The origin of staging, which is known once it listens. */
  readonly staging: () => string;
}

type DemoHandler = (side: DemoSide, sites: DemoSites) => Response;

const ROUTES: Readonly<Record<string, DemoHandler>> = {
  '/': (side, { staging }) =>
    page(
      side,
      side === 'production'
        ? `<script src="${staging()}/analytics.js"></script>`
        : '<script src="/analytics.js"></script>',
    ),
  '/shop': (side) => page(side, ''),
  '/api/products': (side) =>
    json(
      side === 'production'
        ? { products: [{ id: 1, name: 'Plumb line', price: '19.00' }], currency: 'EUR' }
        : { products: [{ id: 1, name: 'Plumb line', price: 19, stock: 4 }], currency: 'EUR' },
      {
        'cache-control': side === 'production' ? 'public, max-age=600' : 'private, no-store',
        'access-control-allow-origin': side === 'production' ? 'https://shop.example' : '*',
      },
    ),
  '/account': (side) =>
    side === 'production'
      ? new Response('Sign in first', {
          status: 401,
          headers: { 'content-type': 'text/plain', 'www-authenticate': 'Bearer realm="shop"' },
        })
      : json({ name: 'Test user' }, { 'cache-control': 'private' }),
  '/old-shop': (side) =>
    new Response(null, {
      status: side === 'production' ? 301 : 302,
      headers: { location: side === 'production' ? '/' : '/shop' },
    }),
  '/health': () =>
    json(
      { status: 'ok', time: new Date().toISOString(), request: crypto.randomUUID() },
      {
        'cache-control': 'no-store',
        'x-request-id': crypto.randomUUID(),
        'set-cookie': `visit=${crypto.randomUUID()}; Path=/; HttpOnly; SameSite=Lax`,
      },
    ),
  '/robots.txt': () =>
    new Response('User-agent: *\nDisallow: /account\n', { headers: { 'content-type': 'text/plain' } }),
};

export function respondAsDemo(path: string, side: DemoSide, sites: DemoSites): Response {
  const response = Object.hasOwn(ROUTES, path) ? ROUTES[path] : undefined;
  return (
    response?.(side, sites) ??
    new Response('Not found', { status: 404, headers: { 'content-type': 'text/plain' } })
  );
}

function page(side: DemoSide, script: string): Response {
  const nonce = crypto.randomUUID();
  const body = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>The plumb line shop</title>
<meta name="version" content="${side === 'production' ? '2.3.1' : '2.4.0'}"><script nonce="${nonce}">start()</script>${script}</head>
<body><header></header><main><h1>The plumb line shop</h1><form action="/cart" method="post"><input name="id"></form></main></body></html>`;
  const headers = new Headers({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
    ...(side === 'production' && {
      'content-security-policy': `default-src 'self'; script-src 'nonce-${nonce}'`,
    }),
    ...(side === 'staging' && { 'x-powered-by': 'Express' }),
  });
  const flags = side === 'production' ? 'HttpOnly; SameSite=Lax' : 'SameSite=Lax';
  headers.append('set-cookie', `session=${crypto.randomUUID()}; Path=/; ${flags}`);
  return new Response(body, { headers });
}

function json(body: object, headers: Readonly<Record<string, string>>): Response {
  return new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json', ...headers } });
}
