/**
 * `GET /api/streams` lists the streams and proxied responses of a tenant that the credential's scopes allow.
 * `GET /api/streams/timing` returns the arrival times of the records of one of them, and `GET /api/streams/attempts` the
 * attempts of one response.
 */
import * as z from 'zod';
import { SondeError } from '../../errors.js';
import { invalidField } from '../../kernel/invalid-request.js';
import { proxiedOf, streamIdOfProxy, UPSTREAM_OUTCOMES } from '../../proxy/index.js';
import { includesScope } from '../../scopes.js';
import {
  readStreamPath,
  type StreamListPage,
  type StreamListQuery,
  type StreamTiming,
  streamIdOf,
  streamsOf,
  type TimingQuery,
} from '../../streams/index.js';
import { isUuid } from '../../uuid.js';
import type { App, AppContext, AppDeps } from '../app-env.js';
import { demandScope, demandTenant } from '../auth/require-scope.js';
import { storeErrors } from '../views/error-responses.js';
import {
  AttemptView,
  attemptView,
  decodeCursor,
  encodeCursor,
  StreamPage,
  streamItem,
  TimingView,
} from '../views/listed-stream.js';
import { boundedText, jsonResponse, limitParam, NO_STORE, operations } from '../views/operation.js';
import { iso } from '../views/time.js';

/** The port for lists of streams: the service itself, or a client of it if it runs elsewhere. */
export interface StreamLists {
  page(query: StreamListQuery): Promise<StreamListPage>;
  timing(id: string, query: TimingQuery): Promise<StreamTiming>;
}

const LIMITS = { listMax: 200, timingMax: 5_000, textChars: 200 } as const;
const STATUS_CLASSES = ['2xx', '3xx', '4xx', '5xx', 'none'] as const;
const SCOPES = { stream: 'stream:read', response: 'proxy:read' } as const;
type Kind = keyof typeof SCOPES;

const operation = operations('Streams');

const Query = z.object({
  kind: z.enum(['stream', 'response']).optional(),
  state: z.enum(['open', 'closed']).optional(),
  outcome: z.enum(UPSTREAM_OUTCOMES).optional().describe('Responses that ended this way.'),
  status: z
    .enum(STATUS_CLASSES)
    .optional()
    .describe('Responses with a status of this class; `none`: calls without a response head.'),
  route: boundedText(64, 'Responses of the inline route of this name.'),
  prefix: boundedText(1024, 'Streams whose path begins with this text, in the order of their paths.'),
  q: boundedText(
    LIMITS.textChars,
    'Text in the path, the upstream URL, the route or the id. A whole id finds its response at once.',
  ),
  limit: limitParam(LIMITS.listMax, 50),
  cursor: z.string().max(2048).optional().describe('`next` of the previous page.'),
});

const list = operation.get('/api/streams', 'listStreams', {
  summary: 'List streams and proxied responses, newest first',
  description:
    'Scope `stream:read` lists streams, `proxy:read` proxied responses. A page examines a bounded number of rows: it can ' +
    'be short or empty and still have `next`.',
  request: { query: Query },
  responses: {
    200: jsonResponse('One page.', StreamPage),
    ...storeErrors(),
  },
});

const timing = operation.get('/api/streams/timing', 'getStreamTiming', {
  summary: 'Get the arrival times of stored records',
  description:
    'Scope `stream:read` with `stream`, `proxy:read` with `response`; exactly one of them is needed.',
  request: {
    query: z.object({
      stream: boundedText(1024, 'Path of a stream.'),
      response: z.string().max(64).optional().describe('Id of a proxied response.'),
      from: z.string().max(64).optional().describe('Offset to start at. Default: the first record.'),
      limit: limitParam(LIMITS.timingMax, 1_000),
    }),
  },
  responses: {
    200: jsonResponse('One page of records.', TimingView),
    ...storeErrors('STREAM_NOT_FOUND', 'STREAM_GONE', 'STREAM_CORRUPT', 'OFFSET_INVALID'),
  },
});

const attempts = operation.get('/api/streams/attempts', 'listAttempts', {
  summary: 'List the attempts of a proxied response',
  description:
    'Scope `proxy:read`. A repeat of a request with an `Idempotency-Key` is a new attempt if the last one was refused. ' +
    'Of more than 100 attempts, the newest 100 are kept.',
  request: {
    query: z.object({ response: z.string().max(64).describe('Id of a proxied response.') }),
  },
  responses: {
    200: jsonResponse(
      'The attempts, in order.',
      z.object({ attempts: z.array(AttemptView) }).meta({ id: 'ProxyAttemptList' }),
    ),
    ...storeErrors('STREAM_NOT_FOUND'),
  },
});

export function addStreamList(app: App, { streamLists, proxy }: AppDeps): void {
  if (proxy) addAttemptList(app, proxy);
  if (!streamLists) return;

  app.openapi(list, async (c) => {
    const { limit, ...filter } = c.req.valid('query');
    const kinds = listedKinds(c, filter);
    const { tenant } = demandTenant(c);
    if (kinds.length === 0) return c.json({ streams: [], next: null }, 200, NO_STORE);
    const page = await streamLists.page({ ...queryOf(tenant, kinds, filter), limit });
    const next = page.next && encodeCursor(page.next);
    return c.json({ streams: page.streams.map(streamItem), next }, 200, NO_STORE);
  });

  app.openapi(timing, async (c) => {
    const { from, limit } = c.req.valid('query');
    const { id, tenant } = readTimedStream(c, c.req.valid('query'));
    const found = await streamLists.timing(id, { tenant, limit, ...(from !== undefined && { from }) });
    const records = found.records.map((record) => [...record] as [string, number, number | null]);
    return c.json({ ...found, records, createdAt: iso(found.createdAt) }, 200, NO_STORE);
  });
}

function addAttemptList(app: App, proxy: NonNullable<AppDeps['proxy']>): void {
  app.openapi(attempts, async (c) => {
    const { tenant } = demandScope(c, SCOPES.response);
    const found = await proxy.attempts(c.req.valid('query').response, tenant);
    return c.json({ attempts: found.map(attemptView) }, 200, NO_STORE);
  });
}

function readTimedStream(
  c: AppContext,
  { stream, response }: { readonly stream?: string | undefined; readonly response?: string | undefined },
): { readonly id: string; readonly tenant: string } {
  if (stream !== undefined && response === undefined) {
    const { tenant } = demandScope(c, SCOPES.stream);
    return { tenant, id: streamIdOf(tenant, readStreamPath(stream, 'query.stream')) };
  }
  if (response !== undefined && stream === undefined) {
    const { tenant } = demandScope(c, SCOPES.response);
    if (isUuid(response)) return { tenant, id: streamIdOfProxy(response) };
    throw new SondeError('STREAM_NOT_FOUND', 'There is no such response.');
  }
  demandTenant(c);
  throw invalidField('query.stream', 'Give either query.stream or query.response.');
}

type Filter = Omit<z.output<typeof Query>, 'limit'>;

/** The kinds that the credential may list and the filter does not exclude. */
function listedKinds(c: AppContext, { kind, outcome, status, route, prefix }: Filter): Kind[] {
  const scopes = c.get('principal')?.scopes ?? new Set();
  const requested = kind === undefined ? (['stream', 'response'] as const) : [kind];
  const readable = requested.filter((each) => includesScope(scopes, SCOPES[each]));
  // If there are none, the error names the missing scope.
  const [first = 'stream'] = requested;
  if (readable.length === 0) demandScope(c, SCOPES[first]);
  return readable.filter(
    (each) =>
      (each === 'response' || (outcome ?? status ?? route) === undefined) &&
      (each === 'stream' || prefix === undefined),
  );
}

function queryOf(tenant: string, kinds: readonly Kind[], filter: Filter): Omit<StreamListQuery, 'limit'> {
  const { state, outcome, status, route, prefix, q, cursor } = filter;
  const collection = { stream: streamsOf(tenant), response: proxiedOf(tenant) };
  const query = {
    collections: kinds.map((kind) => collection[kind]),
    ...(state && { closed: state === 'closed' }),
    ...(outcome && { outcome }),
    ...(status && { statusClass: status === 'none' ? null : Number(status[0]) }),
    ...(route !== undefined && { route }),
    ...(prefix !== undefined && { idPrefix: streamIdOf(tenant, prefix) }),
    ...(cursor !== undefined && { after: decodeCursor(cursor) }),
  };
  if (q === undefined) return query;
  if (isUuid(q) && kinds.includes('response')) return { ...query, id: streamIdOfProxy(q) };
  return { ...query, text: q.toLowerCase() };
}
