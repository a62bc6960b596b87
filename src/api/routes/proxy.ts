/**
 * `/v1/proxy`: the durable proxy. Creating, aborting by key, metadata and deletion need a service credential. Reading
 * needs a service credential or a signed URL. Aborting by id only accepts a signed URL, and not one for reading. Sharing
 * needs what reading needs, but not a URL for reading.
 */
import { SondeError } from '../../errors.js';
import type { ProxyCall, ProxyOperations, ProxyRead } from '../../proxy/index.js';
import type { App, AppContext, AppDeps } from '../app-env.js';
import { demandScope } from '../auth/require-scope.js';
import { absoluteUrl } from '../middleware/public-origin.js';
import { upstreamBody } from '../middleware/upstream-body.js';
import { invalidField } from '../middleware/validation.js';
import { describeProxy } from './proxy-openapi.js';
import { type HostResponse, streamResponse } from './stream-response.js';

export const PROXY_PATH = '/v1/proxy';
const ID_PATH = `${PROXY_PATH}/:id`;

export function addProxy(app: App, { proxy }: AppDeps): void {
  if (!proxy) return;
  describeProxy(app);
  const create = async (c: AppContext) => {
    const { tenant } = demandScope(c, 'proxy:create');
    return streamResponse(c, await proxy.create(await createCallOf(c, tenant)));
  };
  app.post(PROXY_PATH, create);
  app.post(`${PROXY_PATH}/`, create);
  app.patch(PROXY_PATH, async (c) => {
    const { tenant } = demandScope(c, 'proxy:create');
    const key = c.req.header('idempotency-key') ?? null;
    const { searchParams: query } = new URL(c.req.url);
    return streamResponse(c, await proxy.abortByKey({ tenant, key, query }));
  });
  // Hono handles HEAD with the handler of GET.
  app.get(ID_PATH, async (c) => streamResponse(c, await readOrHead(c, proxy)));
  app.patch(ID_PATH, async (c) => {
    const { id, query } = readTarget(c);
    const signed = proxy.verifySignature(id, query);
    if (!signed) {
      throw new SondeError(
        'MISSING_SIGNATURE',
        'Aborting an upstream request requires the signed URL that its create returned, with expires and signature.',
      );
    }
    if (signed.access === 'read') throw readOnly('abort the upstream request');
    return streamResponse(c, await proxy.abort(id, query));
  });
  app.post(ID_PATH, async (c) => {
    const { id, query } = readTarget(c);
    const signed = proxy.verifySignature(id, query);
    if (signed?.access === 'read') throw readOnly('be shared again');
    const tenant = signed ? null : demandScope(c, 'proxy:read').tenant;
    const absolute = (path: string) => absoluteUrl(c, path);
    return streamResponse(c, await proxy.share({ ...readOf(c), tenant, signed, absolute }));
  });
  app.delete(ID_PATH, async (c) => {
    const { tenant } = demandScope(c, 'proxy:admin');
    return streamResponse(c, await proxy.remove(readTarget(c).id, tenant));
  });
}

function readOnly(what: string): SondeError {
  return new SondeError(
    'READ_ONLY_URL',
    `This signed URL is for reading only and cannot ${what}. Use the URL that the create returned.`,
  );
}

function readOf(c: AppContext): Omit<ProxyRead, 'tenant'> {
  return {
    ...readTarget(c),
    url: absoluteUrl(c, c.req.path),
    header: (name) => c.req.header(name) ?? null,
    signal: c.req.raw.signal,
  };
}

function readOrHead(c: AppContext, proxy: ProxyOperations<HostResponse>): Promise<HostResponse> {
  const read = readOf(c);
  if (c.req.method === 'HEAD') return proxy.head({ ...read, tenant: demandScope(c, 'proxy:admin').tenant });
  const tenant = proxy.verifySignature(read.id, read.query) ? null : demandScope(c, 'proxy:read').tenant;
  return proxy.read({ ...read, tenant });
}

function readTarget(c: AppContext): { readonly id: string; readonly query: URLSearchParams } {
  return { id: c.req.param('id') ?? '', query: new URL(c.req.url).searchParams };
}

/** Some hosts cannot send a GET with a body, so every host refuses it, before any other check. */
async function createCallOf(c: AppContext, tenant: string): Promise<ProxyCall> {
  const call = callOf(c, tenant);
  if (call.header('upstream-method') !== 'GET') return call;
  const body = await call.body();
  if (body.byteLength !== 0) {
    throw invalidField(
      'body',
      'A GET request cannot have a body. Remove the body or change Upstream-Method.',
    );
  }
  return Object.assign(call, { body: async () => body });
}

export function callOf(c: AppContext, tenant: string): ProxyCall {
  return {
    tenant,
    headers: [...c.req.raw.headers],
    header: (name) => c.req.header(name) ?? null,
    body: () => upstreamBody(c),
    absolute: (path) => absoluteUrl(c, path),
    // A getter, because hosts create the signal on first use.
    get signal() {
      return c.req.raw.signal;
    },
  };
}
