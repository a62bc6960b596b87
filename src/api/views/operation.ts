/** Shared parts of the OpenAPI descriptions of operations. */
import '@hono/zod-openapi';
import * as z from 'zod';
import { IDEMPOTENCY_LIMITS } from '../middleware/idempotency.js';

/** A service credential or a browser's session. */
export const SERVICE_SECURITY: Record<string, string[]>[] = [{ bearer: [] }, { session: [] }];
export const NO_SECURITY: Record<string, string[]>[] = [];

export const jsonContent = <Schema extends z.ZodType>(schema: Schema) => ({ 'application/json': { schema } });

export const jsonRequest = <Schema extends z.ZodType>(schema: Schema) => ({
  body: { required: true, content: jsonContent(schema) },
});

/** Bytes that this server does not interpret. */
export const anyContent = { '*/*': { schema: z.string().openapi({ format: 'binary' }) } };

/** An optional request header. The code that reads it checks its form. */
export const header = (meaning: string) => z.string().optional().describe(meaning);

/** The id in a path; `name` is its name in braces. */
export const idParam = <Name extends string>(name: Name, charsMax: number) =>
  z.object({
    [name]: z
      .string()
      .min(1)
      .max(charsMax)
      .openapi({ param: { name, in: 'path' } }),
  } as Record<Name, z.ZodString>);

export const IdempotencyHeaders = z.object({
  'Idempotency-Key': z
    .string()
    .optional()
    .describe('For 24 hours, repeated requests with the same key get the first response and create nothing.')
    .openapi({ minLength: 1, maxLength: IDEMPOTENCY_LIMITS.keyChars }),
});
