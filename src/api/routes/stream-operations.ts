/** The operations of the stream protocol by method, with their scopes, and the mapping from paths to stream ids. */
import { SondeError } from '../../errors.js';
import { canonicalPath, isReservedPath, type StreamCall, streamIdOf } from '../../streams/index.js';
import { invalidField } from '../middleware/validation.js';

export const STREAM_PREFIX = '/v1/stream/';
const PATH_CHARS_MAX = 1024;

/** The port for streams: the service itself, or a client of it if it runs elsewhere. */
export type StreamOperations<Result> = Readonly<
  Record<'create' | 'append' | 'read' | 'head' | 'remove', (call: StreamCall) => Promise<Result>>
>;

export interface StreamOperation {
  readonly scope: 'stream:read' | 'stream:write';
  run<Result>(service: StreamOperations<Result>, call: StreamCall): Promise<Result>;
}

export const STREAM_OPERATIONS: ReadonlyMap<string, StreamOperation> = new Map([
  ['PUT', { scope: 'stream:write', run: (service, call) => service.create(call) }],
  ['POST', { scope: 'stream:write', run: (service, call) => service.append(call) }],
  ['DELETE', { scope: 'stream:write', run: (service, call) => service.remove(call) }],
  ['GET', { scope: 'stream:read', run: (service, call) => service.read(call) }],
  ['HEAD', { scope: 'stream:read', run: (service, call) => service.head(call) }],
] satisfies [string, StreamOperation][]);

export function streamIdOfPath(tenant: string, pathname: string): string {
  const path = canonicalPath(pathname.slice(STREAM_PREFIX.length));
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
export function idOfNamedPath(tenant: string, path: string): string | undefined {
  return path.startsWith(STREAM_PREFIX) ? streamIdOfPath(tenant, path) : undefined;
}
