/** Shared parts of operations and of their OpenAPI descriptions. */
import { createRoute, type RouteConfig } from '@hono/zod-openapi';
import * as z from 'zod';
import type { App, AppContext } from '../app-env.js';
import { requireCredential } from '../auth/require-scope.js';
import { IDEMPOTENCY_LIMITS } from '../idempotency.js';
import { refuseNulInUrl } from '../middleware/refuse-nul.js';
import { errorResponses } from './error-responses.js';
import { responseHeaders } from './response-headers.js';

export const NO_STORE = { 'Cache-Control': 'no-store' } as const;

/** A service credential or a browser's session. */
export const SERVICE_SECURITY: Record<string, string[]>[] = [{ bearer: [] }, { session: [] }];
export const NO_SECURITY: Record<string, string[]>[] = [];

/** Puts what no operation may forget before its own checks: first the credential, then what can be in a URL. */
function guarded<Route extends RouteConfig>(route: Route): Route {
  const first = route.security === SERVICE_SECURITY ? [requireCredential, refuseNulInUrl] : [refuseNulInUrl];
  const middleware = [...first, ...[route.middleware ?? []].flat()];
  // Not enumerable, like `getRoutingPath`: the registry copies the rest into the document.
  return Object.defineProperty(route, 'middleware', { value: middleware, enumerable: false });
}

/** Adds an operation that `app.openapi` cannot type, because it parses its request or composes its response itself. */
export function addOperation(
  app: App,
  route: RouteConfig & { getRoutingPath(): string },
  handler: (c: AppContext) => Promise<Response>,
): void {
  app.openAPIRegistry.registerPath(route);
  app.on([route.method.toUpperCase()], [route.getRoutingPath()], ...[route.middleware ?? []].flat(), handler);
}

/**
 * Functions that define operations with this tag, one per method. An operation needs a service credential unless it has
 * its own `security`.
 */
export function operations(tag: string) {
  type Rest = Omit<RouteConfig, 'tags' | 'method' | 'path' | 'operationId'>;
  const withMethod =
    <Method extends RouteConfig['method']>(method: Method) =>
    <Path extends string, Own extends Rest>(path: Path, operationId: string, own: Own) =>
      guarded(createRoute({ tags: [tag], security: SERVICE_SECURITY, method, path, operationId, ...own }));
  return {
    get: withMethod('get'),
    head: withMethod('head'),
    post: withMethod('post'),
    put: withMethod('put'),
    patch: withMethod('patch'),
    delete: withMethod('delete'),
  };
}

export const jsonContent = <Schema extends z.ZodType>(schema: Schema) => ({ 'application/json': { schema } });

export const jsonRequest = <Schema extends z.ZodType>(schema: Schema) => ({
  body: { required: true, content: jsonContent(schema) },
});

export const jsonResponse = <Schema extends z.ZodType>(description: string, schema: Schema) => ({
  description,
  content: jsonContent(schema),
});

/** The response to an operation that takes an `Idempotency-Key`. */
export const createdResponse = <Schema extends z.ZodType>(description: string, schema: Schema) => ({
  description,
  headers: responseHeaders('Location', 'Idempotent-Replayed?'),
  content: jsonContent(schema),
});

export const textContent = <Type extends string>(type: Type) =>
  ({ [type]: { schema: z.string() } }) as Record<Type, { schema: z.ZodString }>;

/** A page that needs no credential. */
export const pageOperation = <Path extends string>(path: Path, operationId: string, summary: string) =>
  operations('Operations').get(path, operationId, {
    security: NO_SECURITY,
    summary,
    responses: {
      200: { description: 'The page.', content: textContent('text/html') },
      ...errorResponses('RATE_LIMITED'),
    },
  });

/** Bytes that this server does not interpret. */
export const anyContent = { '*/*': { schema: z.string().meta({ format: 'binary' }) } };

/** An optional header, parameter or field whose form is checked by the code that reads it. */
export const optionalText = (meaning: string) => z.string().optional().describe(meaning);

export const boundedText = (charsMax: number, meaning: string) =>
  z.string().min(1).max(charsMax).optional().describe(meaning);

/** How many items a list returns. */
export const limitParam = (max: number, fallback: number) =>
  z.coerce.number().int().min(1).max(max).default(fallback);

/** The id in a path; `name` is its name in braces. */
export const idParam = <Name extends string>(name: Name, charsMax: number) =>
  z.object({
    [name]: z
      .string()
      .min(1)
      .max(charsMax)
      .meta({ param: { name, in: 'path' } }),
  } as Record<Name, z.ZodString>);

export const IdempotencyHeaders = z.object({
  'Idempotency-Key': z
    .string()
    .optional()
    .describe('For 24 hours, repeated requests with the same key get the first response and create nothing.')
    .meta({ minLength: 1, maxLength: IDEMPOTENCY_LIMITS.keyChars }),
});
