/**
 * The GET operations of an OpenAPI 3 or Swagger 2 document, JSON or YAML, that can be asked without inventing
 * anything: parameters are filled from their example, default or first allowed value, and an operation with a
 * required parameter that has none is skipped and named. References are followed inside the document only; one
 * that leads out of it is refused, because reading it would be a request that nobody judged.
 */
import { parse } from 'yaml';
import { badPaths, readPath, type SuitePaths, suitePaths } from './suite-paths.js';

type Node = Readonly<Record<string, unknown>>;

const REFERENCE_HOPS_MAX = 20;
const NODES_MAX = 200_000;

export function pathsFromOpenapi(text: string, name: string): SuitePaths {
  const document = readDocument(text, name);
  refuseExternalReferences(document, name);
  const base = basePath(document);
  const paths: string[] = [];
  const skipped: string[] = [];
  for (const [template, item] of Object.entries(nodeOf(document['paths']))) {
    const shared = nodeOf(resolved(item, document));
    if (!Object.hasOwn(shared, 'get')) continue;
    const operation = nodeOf(shared['get']);
    const filled = fill(template, parametersOf([shared, operation], document));
    if (typeof filled === 'string') paths.push(readPath(`${base}${filled}`, name));
    else skipped.push(`GET ${template}: no example for the required parameter ${filled.missing}`);
  }
  return suitePaths(paths, skipped);
}

function readDocument(text: string, name: string): Node {
  let document: unknown;
  try {
    // Aliases are bounded by the parser: a document cannot grow into more than it says.
    document = parse(text, { maxAliasCount: 100, logLevel: 'silent' });
  } catch (cause) {
    throw badPaths(`${name} is neither JSON nor YAML`, cause);
  }
  const root = nodeOf(document);
  if (typeof root['openapi'] !== 'string' && typeof root['swagger'] !== 'string') {
    throw badPaths(`${name} is no OpenAPI document: it has neither "openapi" nor "swagger"`);
  }
  return root;
}

function refuseExternalReferences(root: Node, name: string): void {
  const waiting: unknown[] = [root];
  const seen = new Set<unknown>();
  while (waiting.length > 0) {
    const node = waiting.pop();
    if (node === null || typeof node !== 'object' || seen.has(node)) continue;
    seen.add(node);
    if (seen.size > NODES_MAX) throw badPaths(`${name} has more than ${NODES_MAX} nodes`);
    const reference = nodeOf(node)['$ref'];
    if (typeof reference === 'string' && !reference.startsWith('#')) {
      throw badPaths(
        `${name} refers to ${JSON.stringify(reference.slice(0, 80))}: external references are refused`,
      );
    }
    waiting.push(...Object.values(node));
  }
}

/** Of the first server (OpenAPI 3) or `basePath` (Swagger 2); which host it names does not matter here. */
function basePath(document: Node): string {
  const servers = document['servers'];
  const url = Array.isArray(servers) ? nodeOf(servers[0])['url'] : document['basePath'];
  if (typeof url !== 'string' || url.includes('{') || !URL.canParse(url, 'http://a.invalid')) return '';
  return new URL(url, 'http://a.invalid').pathname.replace(/\/+$/, '');
}

interface Parameter {
  readonly name: string;
  readonly place: string;
  readonly required: boolean;
  readonly value?: string;
}

function parametersOf(levels: readonly Node[], document: Node): Parameter[] {
  const found = new Map<string, Parameter>();
  for (const level of levels) {
    const list = Array.isArray(level['parameters']) ? level['parameters'] : [];
    for (const item of list) {
      const parameter = readParameter(nodeOf(resolved(item, document)), document);
      if (parameter) found.set(`${parameter.place} ${parameter.name}`, parameter);
    }
  }
  return [...found.values()];
}

function readParameter(node: Node, document: Node): Parameter | undefined {
  const { name, in: place, required } = node;
  if (typeof name !== 'string' || typeof place !== 'string') return undefined;
  const schema = nodeOf(resolved(node['schema'], document));
  const [firstExample] = Object.values(nodeOf(node['examples']));
  const candidates = [
    node['example'],
    nodeOf(firstExample)['value'],
    node['default'],
    schema['example'],
    Array.isArray(schema['examples']) ? schema['examples'][0] : undefined,
    schema['default'],
    Array.isArray(schema['enum']) ? schema['enum'][0] : undefined,
    Array.isArray(node['enum']) ? node['enum'][0] : undefined,
  ];
  const value = candidates.find((each) => ['string', 'number', 'boolean'].includes(typeof each));
  return { name, place, required: required === true, ...(value !== undefined && { value: String(value) }) };
}

function fill(template: string, parameters: readonly Parameter[]): string | { readonly missing: string } {
  let path = template;
  const query = new URLSearchParams();
  for (const { name, place, required, value } of parameters) {
    const needed = place === 'path' || (required && place !== 'cookie');
    if (needed && (value === undefined || place === 'header')) return { missing: name };
    if (place === 'path') path = path.replaceAll(`{${name}}`, encodeURIComponent(value ?? ''));
    else if (place === 'query' && required && value !== undefined) query.append(name, value);
  }
  const left = /\{([^}]*)\}/.exec(path)?.[1];
  if (left !== undefined) return { missing: left };
  const search = query.toString();
  return search === '' ? path : `${path}?${search}`;
}

function resolved(node: unknown, document: Node): unknown {
  let at = node;
  for (let hops = 0; hops < REFERENCE_HOPS_MAX; hops += 1) {
    const reference = nodeOf(at)['$ref'];
    if (typeof reference !== 'string') return at;
    at = reference
      .replace(/^#\/?/, '')
      .split('/')
      .filter((part) => part !== '')
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce<unknown>((parent, key) => nodeOf(parent)[key], document);
  }
  return undefined;
}

function nodeOf(value: unknown): Node {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Node) : {};
}
