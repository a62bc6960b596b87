/** Lists the operations of an OpenAPI document, each with the content of its section in the reference. */
import type { ErrorCode } from '../../errors.js';
import type { OpenApiDocument } from '../openapi-document.js';

export type Content = Readonly<Record<string, { readonly schema?: unknown }>>;

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: unknown;
}

export interface OperationResponse {
  readonly description?: string;
  readonly content?: Content;
  readonly 'x-error-codes'?: readonly ErrorCode[];
}

export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly secured: boolean;
  readonly parameters: readonly Parameter[];
  readonly body: Content | undefined;
  readonly responses: readonly (readonly [status: string, OperationResponse])[];
  /** Sorted by status. */
  readonly errors: readonly ErrorCode[];
}

const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete'] as const;

export function listOperations({ paths = {} }: OpenApiDocument): Operation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const found = item[method];
      if (found === undefined) return [];
      const responses = Object.entries(found.responses ?? {}) as [string, OperationResponse][];
      return {
        method: method.toUpperCase(),
        path,
        operationId: found.operationId ?? `${method} ${path}`,
        tag: found.tags?.[0] ?? 'Other',
        summary: found.summary ?? '',
        description: found.description ?? '',
        secured: (found.security ?? []).length > 0,
        parameters: (found.parameters ?? []) as Parameter[],
        body: (found.requestBody as { content?: Content } | undefined)?.content,
        responses: responses.filter(([, response]) => response['x-error-codes'] === undefined),
        errors: responses.flatMap(([, response]) => response['x-error-codes'] ?? []),
      };
    }),
  );
}

/** Codes that most operations share; the reference shows them once. */
export function sharedErrors(operations: readonly Operation[]): ReadonlySet<ErrorCode> {
  const counts = new Map<ErrorCode, number>();
  for (const { errors } of operations) {
    for (const code of errors) counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  return new Set([...counts].filter(([, count]) => count > operations.length / 2).map(([code]) => code));
}
