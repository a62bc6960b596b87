import { expect, test } from 'vitest';
import { exampleOf } from './example-of.js';

const object = (properties: object, required: string[] = []) => ({ type: 'object', properties, required });

test.each<[string, object, unknown]>([
  ['a value that the schema names', { type: 'string', examples: ['a', 'b'] }, 'a'],
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
  ['the first field where none is required', object({ a: { const: 1 }, b: { const: 2 } }), { a: 1 }],
  ['a name that says more than a type', object({ url: { type: 'string' } }), { url: 'https://example.com/' }],
  ['a reference', { $ref: '#/components/schemas/One' }, 'one'],
])('%s', (_about, schema, expected) => {
  expect(exampleOf(schema, { One: { const: 'one' } })).toEqual(expected);
});

test('a schema that contains itself ends', () => {
  const schemas = { Tree: object({ left: { $ref: '#/components/schemas/Tree' } }, ['left']) };
  expect(JSON.stringify(exampleOf(schemas.Tree, schemas)).length).toBeLessThan(200);
});
