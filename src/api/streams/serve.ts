/** Turns a request into a call of a stream operation. The operations themselves are in `streams/`. */
import { SondeError } from '../../errors.js';
import type { Call } from '../../kernel/call.js';
import { invalidField } from '../../kernel/invalid-request.js';
import { type Operation, serveProtocol } from '../../kernel/operation.js';
import type { Reply } from '../../kernel/reply.js';
import { canonicalPath, isReservedPath, type StreamCall, streamIdOf } from '../../streams/index.js';
import * as facts from './facts.js';
import * as schemas from './schemas.js';

const STREAM_PREFIX = facts.createStream.path.replace('{path*}', '');
const PATH_CHARS_MAX = 1024;

/** The port for streams: the service itself, or a client of it if it runs elsewhere. */
export type StreamOperations = Readonly<
  Record<'create' | 'append' | 'read' | 'head' | 'remove', (call: StreamCall) => Promise<Reply>>
>;

export const STREAM_OPERATIONS: readonly Operation<StreamOperations>[] = [
  serveProtocol(facts.readStream, schemas.readStream, (call, streams) => streams.read(callOf(call))),
  serveProtocol(facts.appendStream, schemas.appendStream, (call, streams) => streams.append(callOf(call))),
  serveProtocol(facts.createStream, schemas.createStream, (call, streams) => streams.create(callOf(call))),
  serveProtocol(facts.deleteStream, schemas.deleteStream, (call, streams) => streams.remove(callOf(call))),
  serveProtocol(facts.headStream, schemas.headStream, (call, streams) => streams.head(callOf(call))),
];

function callOf(call: Call): StreamCall {
  const { tenant } = call.caller;
  return {
    id: streamIdOfPath(tenant, call.rawParam('path')),
    url: call.absolute(call.path),
    query: call.searchParams(),
    // A header without a value counts as absent: some hosts drop it.
    header: (name) => call.header(name) || null,
    body: () => call.bytes(),
    idOfPath: (path) => idOfNamedPath(tenant, path),
    get signal() {
      return call.signal;
    },
  };
}

/** `given` is the path of a stream below the prefix, percent-encoded. */
function streamIdOfPath(tenant: string, given: string): string {
  const path = canonicalPath(given);
  if (path === undefined || path === '' || path.length > PATH_CHARS_MAX) {
    throw invalidField(
      'path.path',
      `The path of a stream must have 1 to ${PATH_CHARS_MAX} characters and no "." or ".." segments.`,
    );
  }
  if (isReservedPath(path))
    throw new SondeError('NOT_FOUND', 'This path is reserved; no stream can have it.');
  return streamIdOf(tenant, path);
}

/** The id for a header that names another stream of the same tenant. */
function idOfNamedPath(tenant: string, path: string): string | undefined {
  return path.startsWith(STREAM_PREFIX)
    ? streamIdOfPath(tenant, path.slice(STREAM_PREFIX.length))
    : undefined;
}
