/** Adds operations to the OpenAPI document, by their facts and schemas. */
import type { RouteConfig } from '@hono/zod-openapi';
import type { ErrorCode } from '../errors.js';
import type { Access } from '../kernel/access.js';
import type { BoundOperation, Facts, Schemas } from '../kernel/operation.js';
import type { App } from './app-env.js';
import { CREDENTIAL_ERRORS, errorResponses, IDEMPOTENCY_ERRORS } from './views/error-responses.js';
import {
  anyContent,
  IdempotencyHeaders,
  jsonRequest,
  NO_SECURITY,
  SERVICE_SECURITY,
} from './views/operation.js';

export function describeOperations(app: App, operations: readonly BoundOperation[]): void {
  for (const { facts, schemas } of operations) app.openAPIRegistry.registerPath(describe(facts, schemas));
}

function describe(facts: Facts, schemas: Schemas): RouteConfig {
  const { tag, summary, params, query } = schemas;
  const headers = facts.creates ? IdempotencyHeaders : schemas.headers;
  const description = [accessText(facts.access), schemas.description].filter(Boolean).join(' ');
  return {
    tags: [tag],
    security: securityOf(facts.access),
    method: facts.method.toLowerCase() as Lowercase<Facts['method']>,
    path: facts.path.replace('*}', '}'),
    operationId: facts.id,
    summary,
    ...(description !== '' && { description }),
    request: {
      ...(params && { params }),
      ...(query && { query }),
      ...(headers && { headers }),
      ...bodyOf(facts, schemas),
    },
    responses: { ...errorResponses(...errorsOf(facts)), ...schemas.replies } as RouteConfig['responses'],
  };
}

function securityOf(access: Access): Record<string, string[]>[] {
  if ('by' in access && access.by === 'anyone') return NO_SECURITY;
  if (!('proof' in access) || access.proof === 'holder') return SERVICE_SECURITY;
  return access.or === undefined ? NO_SECURITY : [{}, ...SERVICE_SECURITY];
}

function accessText(access: Access): string {
  if ('scope' in access) return `Scope \`${access.scope}\`.`;
  if ('anyOf' in access) return '';
  if ('by' in access) return access.by === 'tenant' ? 'Works with any credential of a tenant.' : '';
  if (access.or !== undefined) return `Needs a signed URL or the scope \`${access.or}\`.`;
  return access.proof === 'holder'
    ? 'The bearer token is the one that came with the wake; no other is accepted.'
    : '';
}

function bodyOf(
  { body, method }: Facts,
  { json, bytes }: Schemas,
): Pick<NonNullable<RouteConfig['request']>, 'body'> {
  if (json) return jsonRequest(json);
  if (body === 'none' || method === 'GET' || method === 'HEAD') return {};
  return { body: { ...(bytes !== undefined && { description: bytes }), content: anyContent } };
}

/** All codes of an operation, besides those of every operation. */
export function errorsOf({ access, body, creates, rate, errors }: Facts): readonly ErrorCode[] {
  const isOpen = 'proof' in access ? access.or === undefined : 'by' in access && access.by === 'anyone';
  const counted: readonly ErrorCode[] = rate === 'nobody' ? [] : ['RATE_LIMITED'];
  return [
    ...(isOpen ? counted : CREDENTIAL_ERRORS),
    ...(creates ? IDEMPOTENCY_ERRORS : []),
    ...errors,
    ...(body === 'json' ? (['UNSUPPORTED_MEDIA_TYPE'] as const) : []),
  ];
}
