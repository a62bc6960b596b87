import { expect, test } from 'vitest';
import { describeSchema } from './describe-schema.js';

test.each([
  [{ type: 'string' }, 'string'],
  [{ type: ['string', 'null'] }, 'string | null'],
  [{ const: 'ok' }, '&quot;ok&quot;'],
  [{ enum: [1, 'a'] }, '1 | &quot;a&quot;'],
  [{ enum: Array.from({ length: 40 }, (_, i) => i) }, 'string, one of 40'],
  [{ type: 'array', items: { $ref: '#/components/schemas/Thing' } }, '<a href="#schema-Thing">Thing</a>[]'],
  [{ anyOf: [{ type: 'number' }, { type: 'null' }] }, 'number | null'],
  [
    {
      type: 'object',
      properties: { a: { type: 'string', description: '<i>' }, b: { type: 'object', properties: {} } },
      required: ['a'],
    },
    '{\n  a: string  <span class="muted">&lt;i&gt;</span>\n  b?: {}\n}',
  ],
  [undefined, 'any'],
])('%j', (schema, expected) => {
  expect(describeSchema(schema)).toBe(expected);
});

test('truncates a schema that contains itself', () => {
  const endless: Record<string, unknown> = { type: 'array' };
  endless['items'] = endless;
  expect(describeSchema(endless)).toBe('…[][][][][][][]');
});
