/** Turns requests into calls of the proxy. */
import { SondeError } from '../../errors.js';
import type { Call } from '../../kernel/call.js';
import { invalidField } from '../../kernel/invalid-request.js';
import { type Operation, serveProtocol } from '../../kernel/operation.js';
import type { Reply } from '../../kernel/reply.js';
import type { ProxyCall, ProxyOperations, ProxyRead } from '../../proxy/index.js';
import { routeAccessOf } from '../auth/require-scope.js';
import * as facts from './facts.js';
import * as schemas from './schemas.js';
import { upstreamBody } from './upstream-body.js';

type Proxy = ProxyOperations<Reply>;

export const PROXY_OPERATIONS: readonly Operation<Proxy>[] = [
  serveProtocol(facts.createProxied, schemas.createProxied, async (call, proxy) =>
    proxy.create(await createCallOf(call)),
  ),
  serveProtocol(facts.abortProxiedByKey, schemas.abortProxiedByKey, (call, proxy) =>
    proxy.abortByKey({
      tenant: call.caller.tenant,
      key: call.header('idempotency-key'),
      query: call.searchParams(),
    }),
  ),
  serveProtocol(facts.readProxied, schemas.readProxied, async (call, proxy) => {
    const read = readOf(call);
    const tenant = proxy.verifySignature(read.id, read.query) ? null : call.callerWithoutProof().tenant;
    return proxy.read({ ...read, tenant });
  }),
  serveProtocol(facts.shareProxied, schemas.shareProxied, async (call, proxy) => {
    const { id, query } = targetOf(call);
    const signed = proxy.verifySignature(id, query);
    if (signed?.access === 'read') throw readOnly('be shared again');
    const tenant = signed ? null : call.callerWithoutProof().tenant;
    return proxy.share({ ...readOf(call), tenant, signed, absolute: (path) => call.absolute(path) });
  }),
  serveProtocol(facts.abortProxied, schemas.abortProxied, async (call, proxy) => {
    const { id, query } = targetOf(call);
    const signed = proxy.verifySignature(id, query);
    if (!signed) {
      throw new SondeError(
        'MISSING_SIGNATURE',
        'Aborting an upstream request requires the signed URL that its create returned, with expires and signature.',
      );
    }
    if (signed.access === 'read') throw readOnly('abort the upstream request');
    return proxy.abort(id, query);
  }),
  serveProtocol(facts.deleteProxied, schemas.deleteProxied, (call, proxy) =>
    proxy.remove(targetOf(call).id, call.caller.tenant),
  ),
  serveProtocol(facts.headProxied, schemas.headProxied, (call, proxy) =>
    proxy.head({ ...readOf(call), tenant: call.caller.tenant }),
  ),
  ...facts.inlineOperations.map((each) => serveProtocol<Proxy>(each, schemas.inlineSchemas(each), inline)),
];

async function inline(call: Call, proxy: Proxy): Promise<Reply> {
  const name = call.rawParam('route');
  const route = proxy.routes.get(name);
  if (!route) {
    throw new SondeError(
      'NOT_FOUND',
      `There is no route "${name}"; routes are defined in the setting proxy.routes.`,
    );
  }
  const rest = `/${call.rawParam('path')}`;
  const own = {
    method: call.method,
    route,
    access: routeAccessOf(call.caller),
    rest: call.query === '' ? rest : `${rest}?${call.query}`,
  };
  return proxy.inline(Object.assign(proxyCallOf(call), own));
}

function readOnly(what: string): SondeError {
  return new SondeError(
    'READ_ONLY_URL',
    `This signed URL is for reading only and cannot ${what}. Use the URL that the create returned.`,
  );
}

function readOf(call: Call): Omit<ProxyRead, 'tenant'> {
  return {
    ...targetOf(call),
    url: call.absolute(call.path),
    header: (name) => call.header(name),
    signal: call.signal,
  };
}

function targetOf(call: Call): { readonly id: string; readonly query: URLSearchParams } {
  return { id: call.param('id'), query: call.searchParams() };
}

/** Some hosts cannot send a GET with a body, so every host refuses it, before any other check. */
async function createCallOf(call: Call): Promise<ProxyCall> {
  const create = proxyCallOf(call);
  if (create.header('upstream-method') !== 'GET') return create;
  const body = await create.body();
  if (body.byteLength !== 0) {
    throw invalidField(
      'body',
      'A GET request cannot have a body. Remove the body or change Upstream-Method.',
    );
  }
  return Object.assign(create, { body: async () => body });
}

function proxyCallOf(call: Call): ProxyCall {
  return {
    tenant: call.caller.tenant,
    headers: call.headers(),
    header: (name) => call.header(name),
    body: () => upstreamBody(call),
    absolute: (path) => call.absolute(path),
    // A getter, because hosts create the signal on first use.
    get signal() {
      return call.signal;
    },
  };
}
