/**
 * An operation of the API has three parts, each in a file of its own: facts (`facts.ts`, which imports nothing, so that
 * every part of the program may read them), schemas (`schemas.ts`, for validation and the reference) and `run`
 * (`serve.ts`). The door decides everything about a request by these facts, and nothing by its path.
 */
import type * as z from 'zod';
import type { ErrorCode } from '../errors.js';
import type { Access } from './access.js';
import type { Call } from './call.js';
import { type Input, readInput } from './input.js';
import type { Reply } from './reply.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD';

export interface Facts {
  readonly id: string;
  /** GET also answers HEAD, unless the path has an operation of its own for it. */
  readonly method: Method;
  /** `{name}` is one segment; `{name*}`, at the end, is the rest of the path as received. */
  readonly path: `/${string}`;
  /** A second spelling of the path, which is not documented. */
  readonly alias?: `/${string}`;
  readonly access: Access;
  /** Where clients that cannot set `Authorization` put their credential. */
  readonly credential?: 'query' | 'route';
  /** Which limit applies to the body, and whether the door reads it. */
  readonly body: 'none' | 'json' | 'bytes' | 'upstream';
  /** Whose requests count against the rate limit. `strangers` have no valid credential. */
  readonly rate: 'everyone' | 'strangers' | 'nobody';
  /** It takes an `Idempotency-Key`. */
  readonly creates?: true;
  /** It makes this server send a request. */
  readonly sends?: true;
  /** Pages of other origins may send it with any headers, those of an SDK for instance. */
  readonly anyHeaders?: true;
  /** Its response is a page, which links of other sites may open. */
  readonly page?: true;
  /** At the edge: the headers that are sent on to the Durable Object that runs it, and no others. */
  readonly wire?: readonly string[];
  /** Besides those of its access and those of every operation. */
  readonly errors: readonly ErrorCode[];
}

/** The response headers and content of one status, as OpenAPI describes them. */
export interface ReplySpec {
  readonly description: string;
  readonly headers?: z.ZodObject;
  readonly content?: Readonly<Record<string, { readonly schema: z.ZodType }>>;
}

export interface Schemas {
  readonly tag: string;
  readonly summary: string;
  /** What the summary and the facts do not say. */
  readonly description?: string;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly headers?: z.ZodObject;
  readonly json?: z.ZodType;
  /** What the bytes of a body are, if it is not JSON. */
  readonly bytes?: string;
  /** By status; `default` for any other. Statuses of coded errors are added from the facts. */
  readonly replies: Readonly<Record<number | 'default', ReplySpec> | Record<number, ReplySpec>>;
}

export interface Operation<Services> {
  readonly facts: Facts;
  readonly schemas: Schemas;
  run(call: Call, services: Services): Promise<Reply>;
}

/** An operation whose request is validated by its schemas. */
export function serve<const S extends Schemas, Services>(
  facts: Facts,
  schemas: S,
  run: (call: Call, input: Input<S>, services: Services) => Promise<Reply>,
): Operation<Services> {
  return {
    facts,
    schemas,
    run: async (call, services) => run(call, await readInput(schemas, call), services),
  };
}

/** An operation of a protocol that parses its requests itself; the schemas only describe it. */
export function serveProtocol<Services>(
  facts: Facts,
  schemas: Schemas,
  run: (call: Call, services: Services) => Promise<Reply>,
): Operation<Services> {
  return { facts, schemas, run };
}

/** An operation with its services. */
export interface BoundOperation {
  readonly facts: Facts;
  readonly schemas: Schemas;
  run(call: Call): Promise<Reply>;
}

/** A host without the services does not have the operations. */
export function bind<Services>(
  operations: readonly Operation<Services>[],
  services: Services | undefined,
): BoundOperation[] {
  if (services === undefined) return [];
  return operations.map(({ facts, schemas, run }) => ({
    facts,
    schemas,
    run: (call) => run(call, services),
  }));
}
