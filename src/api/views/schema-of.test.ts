import { expect, test } from 'vitest';
import * as z from 'zod';
import { exactOptional } from '../../exact-optional.js';
import { schemaOf } from './schema-of.js';

interface Item {
  readonly id: string;
  readonly tags?: readonly string[];
}

test('accepts a schema whose output is the type', () => {
  const schema = z.object({ id: z.string(), tags: exactOptional(z.array(z.string())) });
  expect(schemaOf<Item>()(schema)).toBe(schema);
});

test('does not compile with a missing or an extra optional field', () => {
  // @ts-expect-error tags is missing
  schemaOf<Item>()(z.object({ id: z.string() }));
  const tags = exactOptional(z.array(z.string()));
  // @ts-expect-error more is not a field of Item
  schemaOf<Item>()(z.object({ id: z.string(), tags, more: exactOptional(z.string()) }));
  // @ts-expect-error an undefined member is not an absent one
  schemaOf<Item>()(z.object({ id: z.string(), tags: z.array(z.string()).optional() }));
});
