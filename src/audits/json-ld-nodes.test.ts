import { expect, it } from 'vitest';
import { jsonLdNodes } from './json-ld-nodes.js';

const nodes = (value: unknown) =>
  jsonLdNodes([{ value, line: 3 } as Parameters<typeof jsonLdNodes>[0][number]]);

it.each([
  [{ '@type': 'Product' }, [['Product']]],
  [{ '@type': ['http://schema.org/A', 'https://schema.org/B', 5] }, [['A', 'B']]],
  [
    [{ '@type': 'A' }, [{ '@type': 'B' }]],
    [['A'], ['B']],
  ],
  [{ '@graph': [{ '@type': 'A' }, { '@type': 'B', child: { '@type': 'C' } }] }, [['A'], ['B']]],
  [{ '@type': 'A', '@graph': { '@type': 'B' } }, [['A'], ['B']]],
  [{ name: 'x' }, []],
  [null, []],
  ['text', []],
])('%j has the types %j', (value, types) => {
  const found = nodes(value);
  expect(found.map((node) => node.types)).toEqual(types);
  expect(found.every(({ line }) => line === 3)).toBe(true);
});

it('reads at most 500 nodes of a page', () => {
  const block = { value: Array(300).fill({ '@type': 'A' }), line: 1 } as never;
  expect(jsonLdNodes([block])).toHaveLength(300);
  expect(jsonLdNodes([block, block])).toHaveLength(500);
});
