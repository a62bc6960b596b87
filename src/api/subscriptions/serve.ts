/** Turns requests into calls of the subscriptions of `streams/`. */
import { SondeError } from '../../errors.js';
import { type Call, tryDecode } from '../../kernel/call.js';
import { type Operation, serveProtocol } from '../../kernel/operation.js';
import type { Reply } from '../../kernel/reply.js';
import { bearerOf } from '../../proxy/index.js';
import {
  type HolderCall,
  SUBSCRIPTION_BODY_BYTES_MAX,
  type SubscriptionOperations,
} from '../../streams/index.js';
import * as facts from './facts.js';
import * as schemas from './schemas.js';

const ID_CHARS_MAX = 256;

export const SUBSCRIPTION_OPERATIONS: readonly Operation<SubscriptionOperations>[] = [
  serveProtocol(facts.createSubscription, schemas.createSubscription, async (call, service) => {
    const key = keyOf(call);
    const request = { body: await bodyOf(call), baseUrl: call.origin.base };
    const { created, view } = await service.create(key, request);
    return json(view, created ? 201 : 200);
  }),
  serveProtocol(facts.getSubscription, schemas.getSubscription, async (call, service) =>
    json(await service.view(keyOf(call))),
  ),
  serveProtocol(facts.deleteSubscription, schemas.deleteSubscription, async (call, service) =>
    noContent(await service.remove(keyOf(call))),
  ),
  serveProtocol(facts.addSubscriptionStreams, schemas.addSubscriptionStreams, async (call, service) =>
    noContent(await service.addStreams(keyOf(call), await bodyOf(call))),
  ),
  serveProtocol(facts.removeSubscriptionStream, schemas.removeSubscriptionStream, async (call, service) =>
    noContent(await service.removeStream(keyOf(call), decodedParam(call, 'path'))),
  ),
  serveProtocol(facts.claimWake, schemas.claimWake, async (call, service) =>
    json(await service.claim(keyOf(call), await bodyOf(call))),
  ),
  serveProtocol(facts.callbackWake, schemas.callbackWake, async (call, service) =>
    json(await service.callback(holderCall(call))),
  ),
  serveProtocol(facts.ackWake, schemas.ackWake, async (call, service) =>
    json(await service.ack(holderCall(call))),
  ),
  serveProtocol(facts.releaseWake, schemas.releaseWake, async (call, service) =>
    noContent(await service.release(holderCall(call))),
  ),
  serveProtocol(facts.getWebhookKeys, schemas.getWebhookKeys, async (_call, service) => ({
    ...json(service.jwks),
    headers: { 'Content-Type': 'application/jwk-set+json', 'Cache-Control': 'public, max-age=300' },
  })),
];

function keyOf(call: Call): { tenant: string; id: string } {
  const { tenant } = call.caller;
  const id = decodedParam(call, 'id');
  if (id.length <= ID_CHARS_MAX) return { tenant, id };
  throw new SondeError(
    'INVALID_REQUEST',
    `The id of a subscription must have 1 to ${ID_CHARS_MAX} characters.`,
  );
}

/** A token belongs to one subscription, so an id that none can have only makes the token invalid. */
function holderCall(call: Call): HolderCall {
  return {
    id: call.param('id'),
    token: bearerOf(call.header('authorization')),
    body: () => bodyOf(call),
  };
}

/** Subscriptions are created by name, so a name must have one spelling. */
function decodedParam(call: Call, name: string): string {
  const decoded = tryDecode(call.rawParam(name));
  if (decoded !== undefined) return decoded;
  throw new SondeError('INVALID_REQUEST', 'The path is not valid percent-encoding.');
}

function bodyOf(call: Call): Promise<Uint8Array> {
  return call.bytes(SUBSCRIPTION_BODY_BYTES_MAX);
}

function json(value: unknown, status = 200): Reply {
  return { status, headers: { 'Cache-Control': 'no-store' }, body: { kind: 'json', value } };
}

function noContent(_done: unknown): Reply {
  return { status: 204, headers: {} };
}
