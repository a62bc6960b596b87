/** Creates an example for a JSON Schema from the values that the schema names, or else from plain values by type. */
import type { JsonSchema } from './json-schema.js';

const DEPTH_MAX = 6;

export type Schemas = Readonly<Record<string, unknown>>;

const BY_FORMAT: Readonly<Record<string, string>> = {
  uuid: '0193a1f2-7c4d-7b1e-9a3f-5d2c8e4b6a10',
  'date-time': '2026-01-31T09:30:00.000Z',
  date: '2027-01-31',
  uri: 'https://example.com/',
};

/** Examples by field name, for fields whose type says too little. */
const BY_NAME: Readonly<Record<string, unknown>> = {
  url: 'https://example.com/',
  leftUrl: 'https://staging.example.com/',
  rightUrl: 'https://example.com/',
  paths: ['/', '/api/products'],
  code: 'the code of a login link',
  comparisonId: '5f1c0a9be3d24c77:0193a1f27c4d',
  pairKey: '5f1c0a9be3d24c77',
  path: 'chat/42',
  id: 'one',
};

interface Position {
  readonly name?: string;
  readonly depth?: number;
}

/** Objects only get their required fields, or the first field if none is required. */
export function exampleOf(schema: unknown, schemas: Schemas, { name, depth = 0 }: Position = {}): unknown {
  const shape = resolve(schema, schemas);
  const given = shape.example ?? shape.examples?.[0] ?? shape.const ?? shape.enum?.[0];
  if (given !== undefined) return given;
  if (name !== undefined && Object.hasOwn(BY_NAME, name)) return BY_NAME[name];
  if (shape.default !== undefined) return shape.default;
  if (depth > DEPTH_MAX) return null;
  const first = (shape.anyOf ?? shape.oneOf)?.[0];
  if (first !== undefined) return exampleOf(first, schemas, { ...(name !== undefined && { name }), depth });
  if (shape.allOf) {
    return Object.assign({}, ...shape.allOf.map((part) => exampleOf(part, schemas, { depth: depth + 1 })));
  }
  if (shape.properties) return exampleObject(shape, schemas, depth);
  if (shape.items !== undefined) return [exampleOf(shape.items, schemas, { depth: depth + 1 })];
  return exampleValue(shape);
}

function resolve(schema: unknown, schemas: Schemas): JsonSchema {
  const shape = (schema ?? {}) as JsonSchema;
  if (shape.$ref === undefined) return shape;
  return (schemas[shape.$ref.split('/').at(-1) ?? ''] ?? {}) as JsonSchema;
}

function exampleObject({ properties = {}, required = [] }: JsonSchema, schemas: Schemas, depth: number) {
  const names = required.length > 0 ? required : Object.keys(properties).slice(0, 1);
  return Object.fromEntries(
    names.map((name) => [name, exampleOf(properties[name], schemas, { name, depth: depth + 1 })]),
  );
}

function exampleValue({ type, format, minimum }: JsonSchema): unknown {
  const [kind] = [type ?? 'object'].flat();
  if (kind === 'string') return BY_FORMAT[format ?? ''] ?? 'text';
  if (kind === 'integer' || kind === 'number') return Math.max(1, minimum ?? 1);
  if (kind === 'boolean') return true;
  return kind === 'array' ? [] : kind === 'null' ? null : {};
}
