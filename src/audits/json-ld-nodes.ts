/** The top-level nodes of a page's JSON-LD: blocks, and the items of their lists and graphs. */
import type { JsonLdFacts } from './facts/page-facts.js';

export interface JsonLdNode {
  /** Without the URL of the vocabulary. */
  readonly types: readonly string[];
  readonly node: Readonly<Record<string, unknown>>;
  readonly line: number;
}

const NODES_MAX = 500;

export function jsonLdNodes(blocks: readonly JsonLdFacts[]): JsonLdNode[] {
  const found: JsonLdNode[] = [];
  for (const { value, line } of blocks) collect(value, line, found);
  return found;
}

function collect(value: unknown, line: number, found: JsonLdNode[]): void {
  if (found.length >= NODES_MAX) return;
  if (Array.isArray(value)) {
    for (const each of value) collect(each, line, found);
    return;
  }
  if (!isObject(value)) return;
  if (value['@type'] !== undefined) found.push({ types: typesOf(value), node: value, line });
  if (value['@graph'] !== undefined) collect(value['@graph'], line, found);
}

export function typesOf(node: Readonly<Record<string, unknown>>): string[] {
  const type = node['@type'];
  const types = Array.isArray(type) ? type : [type];
  return types.flatMap((each) =>
    typeof each === 'string' ? [each.replace(/^https?:\/\/schema\.org\//, '')] : [],
  );
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
