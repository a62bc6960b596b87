/** Two deployments of the same site, including everything that changes with every response. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { CannedResponse, DriftCase } from './drift-case.js';

const own = (request: IncomingMessage) => `https://${request.headers.host}`;

function volatileHeaders(request: IncomingMessage, nonce: string): Record<string, string | string[]> {
  return {
    'cache-control': 'private, max-age=60',
    vary: Math.random() < 0.5 ? 'Origin, Accept-Encoding' : 'accept-encoding,origin',
    date: new Date().toUTCString(),
    etag: `"${randomBytes(8).toString('hex')}"`,
    'x-request-id': randomUUID(),
    'x-runtime': String(Math.random()),
    'server-timing': `db;dur=${(Math.random() * 9).toFixed(2)}`,
    'content-security-policy': `default-src 'self'; script-src 'self' 'nonce-${nonce}' ${own(request)}; object-src 'none'; base-uri 'none'; frame-ancestors 'none'`,
    'strict-transport-security': 'max-age=31536000',
    'x-content-type-options': 'nosniff',
    'set-cookie': [
      `sessionid=${randomUUID()}; Path=/; Secure; HttpOnly; SameSite=Lax`,
      `csrftoken=${randomUUID()}; Path=/; Secure; HttpOnly; SameSite=Lax`,
    ],
  };
}

function pageOf(request: IncomingMessage): CannedResponse {
  const nonce = randomBytes(12).toString('base64');
  const base = own(request);
  return {
    headers: { ...volatileHeaders(request, nonce), 'content-type': 'text/html; charset=utf-8' },
    body: `<!doctype html><html lang="en"><head><title>Shop</title><link rel="canonical" href="${base}/planted">
<script nonce="${nonce}" src="${base}/app.3f9ac2d1.js"></script><meta name="csrf" content="${randomUUID()}"></head>
<body><nav>n</nav><main><h1>Shop</h1><form method="post"><input name="q"></form>
<p>Rendered at ${new Date().toISOString()} as ${randomUUID()}</p></main></body></html>`,
  };
}

function apiOf(request: IncomingMessage): CannedResponse {
  return {
    headers: {
      ...volatileHeaders(request, 'x'),
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      generatedAt: new Date().toISOString(),
      requestId: randomUUID(),
      self: `${own(request)}/planted`,
      items: [
        { id: 1, name: 'one' },
        { id: 2, name: 'two' },
      ],
    }),
  };
}

const pair = (response: (request: IncomingMessage) => CannedResponse): DriftCase => ({
  severity: 'info',
  left: response,
  right: response,
});

export const CLEAN_PAIRS = { page: pair(pageOf), api: pair(apiOf) } as const;
