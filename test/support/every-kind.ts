/** Writes at least one row of each kind that a server stores, through its API, and reads all of it again. */
import { type Listening, listenHttp } from './listen.js';

/** What the API shows for each path, without what depends on the time of reading. */
export type Shown = Readonly<Record<string, unknown>>;

export interface Written {
  /** Paths of streams and proxied responses, which are text. */
  readonly texts: readonly string[];
  readonly documents: readonly string[];
}

export function servePages(): Promise<Listening> {
  return listenHttp((request, response) => {
    // A receiver of webhooks wants a body too.
    response.setHeader('content-type', request.url === '/text' ? 'text/plain' : 'text/html');
    response.end(
      request.url === '/text' ? 'proxied' : '<!doctype html><html lang=en><title>A page</title><h1>A</h1>',
    );
  });
}

export async function writeEveryKind(server: string, origin: string, name: string): Promise<Written> {
  const send = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const isText = typeof body === 'string';
    const response = await fetch(server + path, {
      method,
      headers: { 'content-type': isText ? 'text/plain' : 'application/json', ...headers },
      ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return {
      location: response.headers.get('location') ?? '',
      json: text.startsWith('{') ? JSON.parse(text) : {},
    };
  };
  const create = async (path: string, body: unknown) =>
    (await send('POST', path, body, { 'idempotency-key': `${name} ${path}` })).json;
  const stream = `/v1/stream/${name}`;
  await send('PUT', stream, 'first ');
  await send('PUT', `${stream}-fork`, undefined, {
    'stream-forked-from': stream,
    'content-type': 'text/plain',
  });
  const producer = { 'producer-id': 'p', 'producer-epoch': '0', 'producer-seq': '0' };
  await send('POST', stream, 'x'.repeat(5_000), producer);
  await send('PUT', `${stream}-lasting`, 'until then', { 'stream-ttl': '2000000000' });
  await send('PUT', `/v1/stream/__ds/subscriptions/${name}`, {
    type: 'pull-wake',
    streams: [name],
    wake_stream: `${name}-lasting`,
  });
  const upstream = { 'upstream-url': `${origin}/text`, 'upstream-method': 'GET', 'idempotency-key': name };
  const { location } = await send('POST', '/v1/proxy', undefined, upstream);
  await create('/api/webhooks', { url: `${origin}/hook` });
  const { jobId } = await create('/api/jobs', { kind: 'hello', url: `${origin}/` });
  const { auditId } = await create('/api/audits', { url: `${origin}/`, pages: 2 });
  const sides = {
    leftUrl: `${origin}/`,
    rightUrl: `${origin}/text`,
    samples: 2,
    leftHeaders: { 'x-a': 'b' },
  };
  const { comparisonId } = await create('/api/compare', sides);
  const { suiteId } = await create('/api/suites', {
    ...sides,
    rightUrl: `${origin}/under/`,
    paths: ['/', '/b'],
  });
  const pair = `/api/pairs/${String(comparisonId).split(':')[0]}`;
  const runs = [
    `/api/jobs/${jobId}`,
    `/api/audits/${auditId}`,
    `/api/compare/${comparisonId}`,
    `/api/suites/${suiteId}`,
  ];
  for (const run of runs) await untilEnded(server + run);
  await send('POST', `${pair}/baseline`, { comparisonId, findings: 'all' });
  const { pathname, search } = new URL(location, server);
  return {
    texts: [stream, `${stream}-fork`, `${stream}-lasting`, pathname + search],
    documents: [
      ...runs,
      ...[
        `/api/jobs/${jobId}/events`,
        `/api/audits/${auditId}/report`,
        `/api/compare/${comparisonId}/probes`,
      ],
      ...[
        `${pair}/comparisons`,
        `${pair}/baseline`,
        '/api/webhooks',
        `/v1/stream/__ds/subscriptions/${name}`,
      ],
    ],
  };
}

async function untilEnded(url: string): Promise<void> {
  const until = Date.now() + 60_000;
  for (;;) {
    const { status, explanation } = (await (await fetch(url)).json()) as Record<
      string,
      { state?: string } & string
    >;
    if (!['queued', 'running'].includes(String(status)) && explanation?.state !== 'pending') {
      if (status === 'failed') throw new Error(`${url} failed`);
      return;
    }
    if (Date.now() > until) throw new Error(`${url} is still ${status}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** A webhook may be called at any moment. */
const withoutCalls = (key: string, value: unknown) =>
  key === 'lastAt' || key === 'lastStatus' ? null : value;

export async function readEveryKind(server: string, { texts, documents }: Written): Promise<Shown> {
  const shown: Record<string, unknown> = {};
  for (const path of [...texts, ...documents]) {
    const response = await fetch(
      server + path,
      path.endsWith('/events') ? { headers: { accept: 'application/json' } } : {},
    );
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    shown[path] = texts.includes(path)
      ? await response.text()
      : JSON.parse(await response.text(), withoutCalls);
  }
  return shown;
}
