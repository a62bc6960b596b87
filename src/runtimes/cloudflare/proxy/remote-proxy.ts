/**
 * The proxy for the Worker. It handles signatures and routes, and forwards everything else to the stream's own object.
 * The stream of a create with a key is named after the key, so that a repeated create reaches the same object.
 */
import { readProxied } from '../../../api/proxy/facts.js';
import { SondeError } from '../../../errors.js';
import type { Reply } from '../../../kernel/reply.js';
import { concatBytes, hashParts } from '../../../net/index.js';
import {
  admitInline,
  type InlineCall,
  type ProxyCall,
  type ProxyOperations,
  type ProxyRead,
  sharedLocation,
  streamIdOfProxy,
  verifySigned,
} from '../../../proxy/index.js';
import { isUuid, uuidOf, uuidV7 } from '../../../uuid.js';
import type { EdgeEnv } from '../edge-env.js';
import type { EdgeSettings } from '../edge-settings.js';
import { hotBufferOf } from '../streams/hot-buffer-rpc.js';
import { nameReader } from '../streams/reader-left.js';
import { pickHeaders, responseOf } from '../streams/remote-streams.js';
import { unwrap } from '../wire-faults.js';
import type { WireProxyCall, WireProxyRead } from './proxy-rpc.js';
import { readProxyRules } from './proxy-rules.js';

export function createRemoteProxy(env: EdgeEnv, settings: EdgeSettings): ProxyOperations<Reply> {
  const { routes, signedUrls, settings: limits } = readProxyRules(env, settings);
  const objectOf = (id: string) => hotBufferOf(env, streamIdOfProxy(id));
  const send = async (call: ProxyCall, inline?: WireProxyCall['inline']) => {
    const id = idFor(call);
    const object = objectOf(id);
    const wire = { ...(await wireCallOf(call)), id, ...(inline && { inline }) };
    const reader = call.signal && nameReader(object, call.signal);
    return responseOf(await unwrap(object.initializeProxy({ ...wire, ...reader })));
  };
  return {
    routes,
    create: (call) => send(call),
    inline: async (call: InlineCall) => {
      // Here and not in the object, which may be of an older release that does not check.
      admitInline(call);
      const { method, route, rest } = call;
      return send(call, { method, route: route.name, rest });
    },
    async read(read) {
      refuseInvalidId(read.id);
      const object = objectOf(read.id);
      const reader = read.signal && read.query.has('live') && nameReader(object, read.signal);
      return responseOf(await unwrap(object.readProxy({ ...wireReadOf(read), ...reader })));
    },
    async head(read) {
      refuseInvalidId(read.id);
      return responseOf(await unwrap(objectOf(read.id).getMetadata(wireReadOf(read))));
    },
    abort: async (id, query) =>
      responseOf(await unwrap(objectOf(id).proxyAbortUpstream(id, query.toString()))),
    async abortByKey({ tenant, key, query }) {
      const object = objectOf(idOfKey(tenant, key ?? ''));
      return responseOf(await unwrap(object.abortCreate({ tenant, key, query: query.toString() })));
    },
    async share(share) {
      refuseInvalidId(share.id);
      await unwrap(objectOf(share.id).getMetadata(wireReadOf(share)));
      return sharedLocation(signedUrls, share, Date.now() + limits.urlMs);
    },
    async remove(id, tenant) {
      // This id cannot exist, so there is nothing to remove, and no object must be created for it.
      if (!isUuid(id)) return { status: 204, headers: {} };
      return responseOf(await unwrap(objectOf(id).delete(id, tenant)));
    },
    async attempts(id, tenant) {
      refuseInvalidId(id);
      return unwrap(objectOf(id).listAttempts(id, tenant));
    },
    verifySignature: (id, query) => verifySigned(signedUrls, id, { query, now: Date.now() }),
  };
}

function idFor(call: ProxyCall): string {
  const key = call.header('idempotency-key');
  return key === null ? uuidV7(Date.now()) : idOfKey(call.tenant, key);
}

function idOfKey(tenant: string, key: string): string {
  return uuidOf(hashParts([tenant, key]));
}

function refuseInvalidId(id: string): void {
  if (!isUuid(id)) throw new SondeError('STREAM_NOT_FOUND', 'Stream not found.');
}

async function wireCallOf(call: ProxyCall): Promise<Omit<WireProxyCall, 'id' | 'inline'>> {
  const { tenant, headers } = call;
  return { tenant, headers, body: await readWholeBody(call), base: call.absolute('') };
}

/** A call to an object takes bytes. Their size is limited like that of every request at the edge. */
async function readWholeBody(call: ProxyCall): Promise<Uint8Array> {
  const body = await call.body();
  if (body instanceof Uint8Array) return body;
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  return concatBytes(pieces);
}

function wireReadOf({ id, tenant, query, url, header }: ProxyRead): WireProxyRead {
  return {
    id,
    tenant,
    query: query.toString(),
    url,
    headers: pickHeaders({ header }, readProxied.wire ?? []),
  };
}
