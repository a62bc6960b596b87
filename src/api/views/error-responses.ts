/** Error answers as the OpenAPI document describes them: one schema, and the codes of each status. */
import '@hono/zod-openapi';
import * as z from 'zod';
import { ERROR_CODES, type ErrorCode } from '../../errors.js';

const CODES = Object.keys(ERROR_CODES) as [ErrorCode, ...ErrorCode[]];

export const ErrorAnswer = z
  .object({
    error: z.looseObject({
      code: z.enum(CODES).describe('A code from the table; it never changes meaning.'),
      message: z.string().describe('What happened and what to do, for a person.'),
    }),
  })
  .openapi('Error', { description: 'Every error answer. Further fields of `error` depend on the code.' });

interface ErrorResponse {
  description: string;
  content: { 'application/json': { schema: typeof ErrorAnswer } };
  'x-error-codes': ErrorCode[];
}

/** Answers that any route can give. */
const EVERYWHERE: readonly ErrorCode[] = ['ORIGIN_REFUSED', 'INTERNAL'];

export function errorResponses(...codes: readonly ErrorCode[]): Record<number, ErrorResponse> {
  const answers: Record<number, ErrorResponse> = {};
  for (const code of [...codes, ...EVERYWHERE]) {
    const { status } = ERROR_CODES[code];
    const listed = [...(answers[status]?.['x-error-codes'] ?? []), code];
    answers[status] = {
      description: listed.map((each) => `\`${each}\``).join(', '),
      content: { 'application/json': { schema: ErrorAnswer } },
      'x-error-codes': listed,
    };
  }
  return answers;
}
