/**
 * `/v1/stream/__ds/*`: subscriptions of the Durable Streams protocol. A subscription belongs to a tenant. Whoever
 * holds a wake acknowledges it with the wake's own token, which is then the only credential.
 */
import { SondeError } from '../../errors.js';
import type { Scope } from '../../scopes.js';
import type { SubscriptionOperations } from '../../streams/index.js';
import type { App, AppContext, AppDeps } from '../app-env.js';
import { demandScope } from '../auth/require-scope.js';
import { requestBody } from '../middleware/request-body.js';
import { describeSubscriptions } from './subscriptions-openapi.js';

const PREFIX = '/v1/stream/__ds/';
const SUBSCRIPTION = /^subscriptions\/([^/]+)(?:\/(streams|callback|claim|ack|release))?(?:\/(.+))?$/;
const ID_CHARS_MAX = 256;

interface Call {
  readonly c: AppContext;
  readonly service: SubscriptionOperations;
  readonly id: string;
  /** What follows the action: the path of a stream. */
  readonly rest: string;
}

type Answer = (call: Call) => Promise<Response>;

/** By what stands behind the subscription's id, then by method. */
const ACTIONS: Readonly<Record<string, Readonly<Record<string, Answer>>>> = {
  '': {
    PUT: async (call) => {
      const request = { body: await requestBody(call.c), baseUrl: call.c.var.publicOrigin.base };
      const { created, view } = await call.service.create(keyOf(call, 'stream:write'), request);
      return json(view, created ? 201 : 200);
    },
    GET: async (call) => json(await call.service.view(keyOf(call, 'stream:read'))),
    DELETE: async (call) => empty(await call.service.remove(keyOf(call, 'stream:write'))),
  },
  streams: {
    POST: async (call) =>
      empty(await call.service.addStreams(keyOf(call, 'stream:write'), await requestBody(call.c))),
  },
  'streams/': {
    DELETE: async (call) =>
      empty(await call.service.removeStream(keyOf(call, 'stream:write'), decoded(call.rest))),
  },
  claim: {
    POST: async (call) =>
      json(await call.service.claim(keyOf(call, 'stream:write'), await requestBody(call.c))),
  },
  callback: { POST: async (call) => json(await call.service.callback(await holderCall(call))) },
  ack: { POST: async (call) => json(await call.service.ack(await holderCall(call))) },
  release: { POST: async (call) => empty(await call.service.release(await holderCall(call))) },
};

export function addSubscriptions(app: App, { subscriptions }: AppDeps): void {
  if (!subscriptions) return;
  describeSubscriptions(app);
  app.on(['PUT', 'POST', 'DELETE', 'GET'], `${PREFIX}*`, async (c) => {
    const path = new URL(c.req.url).pathname.slice(PREFIX.length);
    if (path === 'jwks.json') return answer(c, { GET: async () => jwks(subscriptions) }, undefined);
    const [, id, action = '', rest = ''] = SUBSCRIPTION.exec(path) ?? [];
    const methods = id === undefined ? undefined : ACTIONS[rest === '' ? action : `${action}/`];
    if (id === undefined || methods === undefined) {
      throw new SondeError('NOT_FOUND', 'There is nothing at this path.');
    }
    return answer(c, methods, { c, service: subscriptions, id: readId(id), rest });
  });
}

function answer<C>(
  c: AppContext,
  methods: Readonly<Record<string, (call: C) => Promise<Response>>>,
  call: C,
): Promise<Response> {
  const run = methods[c.req.method === 'HEAD' ? 'GET' : c.req.method];
  if (run) return run(call);
  const allowed = Object.keys(methods);
  c.header('Allow', [...allowed, 'OPTIONS'].join(', '));
  throw new SondeError('METHOD_NOT_ALLOWED', `This path answers ${allowed.join(', ')}.`, {
    details: { allowed },
  });
}

function readId(text: string): string {
  const id = decoded(text);
  if (id.length > 0 && id.length <= ID_CHARS_MAX) return id;
  throw new SondeError('INVALID_REQUEST', `a subscription's id has 1 to ${ID_CHARS_MAX} characters`);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    throw new SondeError('INVALID_REQUEST', 'the path is not valid percent-encoding', { cause });
  }
}

function keyOf({ c, id }: Call, scope: Scope): { tenant: string; id: string } {
  return { tenant: demandScope(c, scope).tenant, id };
}

async function holderCall(call: Call) {
  const token = /^Bearer +(\S+)$/i.exec(call.c.req.header('authorization') ?? '')?.[1];
  return { id: call.id, token, body: await requestBody(call.c) };
}

function jwks(service: SubscriptionOperations): Response {
  return json(service.jwks, 200, {
    'Content-Type': 'application/jwk-set+json',
    'Cache-Control': 'public, max-age=300',
  });
}

function json(value: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(value), {
    status,
    headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', ...headers },
  });
}

function empty(_done: unknown): Response {
  return new Response(null, { status: 204 });
}
