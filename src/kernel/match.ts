/**
 * Finds the operations of a path. The most specific path wins, segment by segment: a literal before a parameter, and that
 * before the rest of a path; the order of the list does not matter. Paths are compared as received, percent-encoded.
 */

import type { BoundOperation, Facts, Method } from './operation.js';

/** All operations of one path. */
export interface Route {
  /** The pattern of the path, as metrics and logs name it. */
  readonly label: string;
  /** The facts that concern the path, whatever the method. */
  readonly facts: Pick<Facts, 'credential' | 'page' | 'anyHeaders'>;
  readonly allow: readonly string[];
  /** HEAD is answered by the operation of GET if it has none of its own. */
  readonly operations: ReadonlyMap<string, MatchedOperation>;
}

export interface MatchedOperation extends BoundOperation {
  /** The names of the parameters in its path. */
  readonly names: readonly string[];
}

export interface Found {
  readonly route: Route;
  /** The parameters of the path, as received. */
  readonly values: readonly string[];
}

interface Node {
  readonly literals: Map<string, Node>;
  parameter?: Node;
  rest?: Node;
  readonly methods: Map<Method, MatchedOperation>;
  route?: Route;
}

const newNode = (): Node => ({ literals: new Map(), methods: new Map() });

export function createMatcher(operations: readonly BoundOperation[]): (path: string) => Found | undefined {
  const root = newNode();
  const nodes = new Set<Node>();
  for (const operation of operations) {
    const { path, alias, method } = operation.facts;
    for (const pattern of alias === undefined ? [path] : [path, alias]) {
      const node = nodeFor(root, pattern);
      if (node.methods.has(method)) throw new Error(`two operations have the path ${method} ${pattern}`);
      node.methods.set(method, { ...operation, names: namesIn(pattern) });
      nodes.add(node);
    }
  }
  for (const node of nodes) {
    node.route = routeOf(node.methods);
  }
  return (path) => {
    const values: string[] = [];
    const route = find(root, path, values);
    return route && { route, values };
  };
}

const PARAMETER = /^\{(\w+)(\*?)\}$/;

function nodeFor(root: Node, pattern: string): Node {
  let node = root;
  for (const segment of pattern.slice(1).split('/')) {
    const [parameter, , star] = PARAMETER.exec(segment) ?? [];
    const parent = node;
    if (parameter === undefined) node = childOf(node.literals, segment);
    else if (star) node = node.rest ??= newNode();
    else node = node.parameter ??= newNode();
    if (parent.parameter && parent.rest) throw new Error(`${pattern}: one place, two kinds of parameters`);
  }
  return node;
}

function childOf(literals: Map<string, Node>, segment: string): Node {
  const known = literals.get(segment) ?? newNode();
  literals.set(segment, known);
  return known;
}

function namesIn(pattern: string): string[] {
  return [...pattern.matchAll(/\{(\w+)\*?\}/g)].map(([, name = '']) => name);
}

function routeOf(methods: ReadonlyMap<Method, MatchedOperation>): Route {
  const all = [...methods.values()];
  const [first] = all;
  const credential = first?.facts.credential;
  if (all.some(({ facts }) => facts.credential !== credential))
    throw new Error(`the operations of ${first?.facts.path} do not agree where the credential is`);
  const get = methods.get('GET');
  const operations = get ? new Map([['HEAD', get] as const, ...methods]) : methods;
  const allow = [...methods.keys(), ...(get && !methods.has('HEAD') ? ['HEAD'] : []), 'OPTIONS'];
  const facts = {
    ...(credential && { credential }),
    ...(all.some((each) => each.facts.page) && { page: true as const }),
    ...(all.some((each) => each.facts.anyHeaders) && { anyHeaders: true as const }),
  };
  return { label: labelOf(first?.facts.path ?? '/'), facts, allow, operations };
}

function labelOf(path: string): string {
  return path.replace(/\{\w+\*\}/g, '*').replace(/\{(\w+)\}/g, ':$1');
}

/** There is no way back from a literal: a path below `__ds` is never the name of a stream. */
function find(root: Node, path: string, values: string[]): Route | undefined {
  let node = root;
  for (let at = 1; at <= path.length; ) {
    const slash = path.indexOf('/', at);
    const end = slash < 0 ? path.length : slash;
    const segment = path.slice(at, end);
    const literal = node.literals.get(segment);
    if (literal) {
      node = literal;
    } else if (node.parameter && segment !== '') {
      values.push(segment);
      node = node.parameter;
    } else {
      return restOf(node, path.slice(at), values);
    }
    at = end + 1;
  }
  return node.route ?? restOf(node, '', values);
}

function restOf({ rest }: Node, value: string, values: string[]): Route | undefined {
  if (rest) values.push(value);
  return rest?.route;
}
