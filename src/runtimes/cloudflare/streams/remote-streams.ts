/** Streams for the Worker. Each operation is a call to the stream's own object. */
import * as facts from '../../../api/streams/facts.js';
import type { StreamOperations } from '../../../api/streams/serve.js';
import type { Reply } from '../../../kernel/reply.js';
import type { StreamCall } from '../../../streams/index.js';
import type { EdgeEnv } from '../edge-env.js';
import { errorOf, unwrap } from '../wire-faults.js';
import { hotBufferOf, type StreamVerb, type WireCall, type WireResponse } from './hot-buffer-rpc.js';
import { nameReader } from './reader-left.js';

/** The headers that operations read. Credentials and all other headers stay in the Worker. */
const WIRE: Readonly<Record<StreamVerb, readonly string[] | undefined>> = {
  create: facts.createStream.wire,
  append: facts.appendStream.wire,
  read: facts.readStream.wire,
  head: facts.headStream.wire,
  remove: facts.deleteStream.wire,
};

export function createRemoteStreams(env: EdgeEnv): StreamOperations {
  const operation = (verb: StreamVerb) => async (call: StreamCall) => {
    const object = hotBufferOf(env, call.id);
    const wire = await wireCallOf(verb, call);
    const live = verb === 'read' && call.query.has('live') && call.signal;
    return responseOf(await unwrap(object.operate(verb, { ...wire, ...(live && nameReader(object, live)) })));
  };
  return {
    create: operation('create'),
    append: operation('append'),
    read: operation('read'),
    head: operation('head'),
    remove: operation('remove'),
  };
}

const NOTHING = new Uint8Array(0);

/** Only the named headers, as calls to objects cannot contain functions. */
export function pickHeaders(
  { header }: Pick<StreamCall, 'header'>,
  names: readonly string[],
): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, header(name)]).filter(([, value]) => value !== null));
}

async function wireCallOf(verb: StreamVerb, call: StreamCall): Promise<WireCall> {
  const headers = pickHeaders(call, WIRE[verb] ?? []);
  const source = headers['stream-forked-from'];
  const forkedFrom = source === undefined ? undefined : call.idOfPath(source);
  return {
    id: call.id,
    url: call.url,
    query: call.query.toString(),
    headers,
    body: verb === 'create' || verb === 'append' ? await call.body() : NOTHING,
    ...(forkedFrom !== undefined && { forkedFrom }),
  };
}

export function responseOf({ status, headers, body, error }: WireResponse): Reply {
  return {
    status,
    headers,
    ...(body && {
      body: body instanceof Uint8Array ? { kind: 'bytes', bytes: body } : { kind: 'web', stream: body },
    }),
    ...(error && { error: errorOf(error) }),
  };
}
