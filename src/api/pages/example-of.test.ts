import { expect, test } from 'vitest';
import { exampleOf } from './example-of.js';

const object = (properties: object, required: string[] = []) => ({ type: 'object', properties, required });

test.each<[string, object, unknown]>([
  ['an example from the schema', { type: 'string', examples: ['a', 'b'] }, 'a'],
  ['a constant', { const: 3 }, 3],
  ['the first of a list of values', { enum: ['x', 'y'] }, 'x'],
  ['a default', { type: 'integer', default: 5 }, 5],
  ['a number within its bounds', { type: 'integer', minimum: 10 }, 10],
  ['a format', { type: 'string', format: 'date' }, '2027-01-31'],
  ['an array', { type: 'array', items: { type: 'boolean' } }, [true]],
  ['the first of several forms', { anyOf: [{ const: 1 }, { const: 2 }] }, 1],
  [
    'all of several forms',
    { allOf: [object({ a: { const: 1 } }), object({ b: { const: 2 } })] },
    { a: 1, b: 2 },
  ],
  ['required fields only', object({ a: { const: 1 }, b: { const: 2 } }, ['b']), { b: 2 }],
  ['the first field if none is required', object({ a: { const: 1 }, b: { const: 2 } }), { a: 1 }],
  ['an example by field name', object({ url: { type: 'string' } }), { url: 'https://example.com/' }],
  ['a reference', { $ref: '#/components/schemas/One' }, 'one'],
])('%s', (_about, schema, expected) => {
  expect(exampleOf(schema, { One: { const: 'one' } })).toEqual(expected);
});

test('handles a schema that contains itself', () => {
  const schemas = { Tree: object({ left: { $ref: '#/components/schemas/Tree' } }, ['left']) };
  expect(JSON.stringify(exampleOf(schemas.Tree, schemas)).length).toBeLessThan(200);
});
