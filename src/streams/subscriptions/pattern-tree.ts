/**
 * Stores path patterns as a tree of segments, so that the cost of finding the patterns that match a path depends on the
 * path's length, not on the number of patterns.
 */
import { type PathPattern, segmentsOf } from './stream-path.js';

interface Node<Value> {
  readonly values: Set<Value>;
  /** By segment. No literal segment contains a star, so `*` and `**` are only ever wildcards. */
  readonly children: Map<string, Node<Value>>;
  /** It is the node of a `**`, which matches any number of segments. */
  readonly isDeep: boolean;
}

export class PatternTree<Value> {
  readonly #root = newNode<Value>(false);

  /** Whether no pattern is left, nor any node of one that was removed. */
  get isEmpty(): boolean {
    return isEmpty(this.#root);
  }

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
        for (const child of [node.children.get(segment), node.children.get('*')]) {
          if (child) next.push(child);
        }
      }
      reached = withDeep(next);
    }
    const found = new Set<Value>();
    for (const { values } of reached) for (const value of values) found.add(value);
    return found;
  }
}

function newNode<Value>(isDeep: boolean): Node<Value> {
  return { values: new Set(), children: new Map(), isDeep };
}

function isEmpty<Value>({ values, children }: Node<Value>): boolean {
  return values.size === 0 && children.size === 0;
}

function childOf<Value>(node: Node<Value>, segment: string): Node<Value> {
  const child = node.children.get(segment) ?? newNode<Value>(segment === '**');
  node.children.set(segment, child);
  return child;
}

/** Adds the nodes that `**` reaches without consuming a segment. */
function withDeep<Value>(nodes: readonly Node<Value>[]): Set<Node<Value>> {
  const all = new Set(nodes);
  // The iteration includes elements that are added to the set on the way.
  for (const { children } of all) {
    const deep = children.get('**');
    if (deep) all.add(deep);
  }
  return all;
}

/** Returns true if the node is now empty. */
function remove<Value>(node: Node<Value>, [segment, ...rest]: readonly string[], value: Value): boolean {
  if (segment === undefined) {
    node.values.delete(value);
  } else {
    const child = node.children.get(segment);
    if (child && remove(child, rest, value)) node.children.delete(segment);
  }
  return isEmpty(node);
}
