/**
 * Stores path patterns as a tree of segments, so that the cost of finding the patterns that match a path depends on the
 * path's length, not on the number of patterns.
 */
import { type PathPattern, segmentsOf } from './stream-path.js';

interface Node<Value> {
  readonly values: Set<Value>;
  readonly literal: Map<string, Node<Value>>;
  /** `*`: any one segment. */
  any: Node<Value> | undefined;
  /** `**`: any number of segments. */
  deep: Node<Value> | undefined;
  readonly isDeep: boolean;
}

export class PatternTree<Value> {
  readonly #root = newNode<Value>(false);

  add(pattern: PathPattern, value: Value): void {
    let node = this.#root;
    for (const segment of pattern.segments) node = childOf(node, segment);
    node.values.add(value);
  }

  remove(pattern: PathPattern, value: Value): void {
    remove(this.#root, pattern.segments, value);
  }

  matching(path: string): Set<Value> {
    let reached = withDeep([this.#root]);
    for (const segment of segmentsOf(path)) {
      const next: Node<Value>[] = [];
      for (const node of reached) {
        if (node.isDeep) next.push(node);
        const literal = node.literal.get(segment);
        if (literal) next.push(literal);
        if (node.any) next.push(node.any);
      }
      reached = withDeep(next);
    }
    const found = new Set<Value>();
    for (const { values } of reached) for (const value of values) found.add(value);
    return found;
  }
}

function newNode<Value>(isDeep: boolean): Node<Value> {
  return { values: new Set(), literal: new Map(), any: undefined, deep: undefined, isDeep };
}

function childOf<Value>(node: Node<Value>, segment: string): Node<Value> {
  if (segment === '*') {
    node.any ??= newNode(false);
    return node.any;
  }
  if (segment === '**') {
    node.deep ??= newNode(true);
    return node.deep;
  }
  const known = node.literal.get(segment) ?? newNode<Value>(false);
  node.literal.set(segment, known);
  return known;
}

/** Adds the nodes that `**` reaches without consuming a segment. */
function withDeep<Value>(nodes: readonly Node<Value>[]): Set<Node<Value>> {
  const all = new Set(nodes);
  // The iteration includes elements that are added to the set on the way.
  for (const { deep } of all) if (deep) all.add(deep);
  return all;
}

/** Returns true if the node is now empty. */
function remove<Value>(node: Node<Value>, [segment, ...rest]: readonly string[], value: Value): boolean {
  if (segment === undefined) node.values.delete(value);
  else if (segment === '*' && node.any && remove(node.any, rest, value)) node.any = undefined;
  else if (segment === '**' && node.deep && remove(node.deep, rest, value)) node.deep = undefined;
  else {
    const literal = node.literal.get(segment);
    if (literal && remove(literal, rest, value)) node.literal.delete(segment);
  }
  return node.values.size === 0 && node.literal.size === 0 && !node.any && !node.deep;
}
