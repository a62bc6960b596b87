/**
 * `/v1/stream/__ds/*`: subscriptions of the Durable Streams protocol. A subscription belongs to a tenant. The holder of
 * a wake acknowledges it with the wake's own token and needs no other credential. The credential is always checked
 * before a body is read.
 */
import { SondeError } from '../../errors.js';
import { bearerOf } from '../../proxy/index.js';
import type { TenantScope } from '../../scopes.js';
import {
  type HolderCall,
  SUBSCRIPTION_BODY_BYTES_MAX,
  type SubscriptionOperations,
} from '../../streams/index.js';
import type { App, AppContext, AppDeps } from '../app-env.js';
import { demandScope } from '../auth/require-scope.js';
import { methodNotAllowed, withHead } from '../middleware/method-not-allowed.js';
import { requestBody } from '../middleware/request-body.js';
import { describeSubscriptions } from './subscriptions-openapi.js';

export const SUBSCRIPTION_PREFIX = '/v1/stream/__ds/';
const SUBSCRIPTION = /^subscriptions\/([^/]+)(?:\/(streams|callback|claim|ack|release))?(?:\/(.+))?$/;
const ID_CHARS_MAX = 256;

interface Call {
  readonly c: AppContext;
  readonly service: SubscriptionOperations;
  /** As in the path; decoded after the credential was checked, because that may refuse it. */
  readonly id: string;
  /** The path of a stream, after the action. */
  readonly rest: string;
}

type Handlers = Readonly<Record<string, (call: Call) => Promise<Response>>>;

const JWKS: Handlers = { GET: async ({ service }) => jwks(service) };

/** Handlers by action (the part after the subscription's id) and method. */
const ACTIONS: Readonly<Record<string, Handlers>> = {
  '': {
    PUT: async (call) => {
      const key = keyOf(call, 'stream:write');
      const request = { body: await bodyOf(call.c), baseUrl: call.c.var.publicOrigin.base };
      const { created, view } = await call.service.create(key, request);
      return json(view, created ? 201 : 200);
    },
    GET: async (call) => json(await call.service.view(keyOf(call, 'stream:read'))),
    DELETE: async (call) => noContent(await call.service.remove(keyOf(call, 'stream:write'))),
  },
  streams: {
    POST: async (call) =>
      noContent(await call.service.addStreams(keyOf(call, 'stream:write'), await bodyOf(call.c))),
  },
  'streams/': {
    DELETE: async (call) =>
      noContent(await call.service.removeStream(keyOf(call, 'stream:write'), decode(call.rest))),
  },
  claim: {
    POST: async (call) => json(await call.service.claim(keyOf(call, 'stream:write'), await bodyOf(call.c))),
  },
  callback: { POST: async (call) => json(await call.service.callback(holderCall(call))) },
  ack: { POST: async (call) => json(await call.service.ack(holderCall(call))) },
  release: { POST: async (call) => noContent(await call.service.release(holderCall(call))) },
};

export function addSubscriptions(app: App, { subscriptions }: AppDeps): void {
  if (!subscriptions) return;
  describeSubscriptions(app);
  app.on(['PUT', 'POST', 'DELETE', 'GET'], `${SUBSCRIPTION_PREFIX}*`, async (c) => {
    const { handlers, id, rest } = targetOf(new URL(c.req.url).pathname);
    if (!handlers) throw new SondeError('NOT_FOUND', 'Nothing exists at this path.');
    const run = handlers[c.req.method === 'HEAD' ? 'GET' : c.req.method];
    if (!run) throw methodNotAllowed(c, withHead(Object.keys(handlers)));
    return run({ c, service: subscriptions, id, rest });
  });
}

/** `handlers` is undefined if the path does not exist. */
function targetOf(pathname: string) {
  const path = pathname.slice(SUBSCRIPTION_PREFIX.length);
  if (path === 'jwks.json') return { handlers: JWKS, id: '', rest: '' };
  const [, id, action = '', rest = ''] = SUBSCRIPTION.exec(path) ?? [];
  if (id === undefined) return { handlers: undefined, id: '', rest: '' };
  return { handlers: ACTIONS[rest === '' ? action : `${action}/`], id, rest };
}

/** The methods of a path below the prefix; empty if it does not exist. */
export function subscriptionMethods(pathname: string): string[] {
  return withHead(Object.keys(targetOf(pathname).handlers ?? {}));
}

function readId(text: string): string {
  const id = decode(text);
  if (id.length > 0 && id.length <= ID_CHARS_MAX) return id;
  throw new SondeError(
    'INVALID_REQUEST',
    `The id of a subscription must have 1 to ${ID_CHARS_MAX} characters.`,
  );
}

function decode(text: string): string {
  const decoded = tryDecode(text);
  if (decoded !== undefined) return decoded;
  throw new SondeError('INVALID_REQUEST', 'The path is not valid percent-encoding.');
}

function tryDecode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function keyOf({ c, id }: Call, scope: TenantScope): { tenant: string; id: string } {
  return { tenant: demandScope(c, scope).tenant, id: readId(id) };
}

/** A token belongs to one subscription, so an id that none can have only makes the token invalid. */
function holderCall({ c, id }: Call): HolderCall {
  return {
    id: tryDecode(id) ?? id,
    token: bearerOf(c.req.header('authorization') ?? null),
    body: () => bodyOf(c),
  };
}

function bodyOf(c: AppContext): Promise<Uint8Array> {
  return requestBody(c, SUBSCRIPTION_BODY_BYTES_MAX);
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

function noContent(_done: unknown): Response {
  return new Response(null, { status: 204 });
}
