/**
 * Reads the GET operations of an OpenAPI 3 document as paths that can be requested. Path parameters are filled from the
 * examples, defaults and enumerations in the document. References are followed within the document only; one that leads
 * outside is rejected, so that a document cannot trigger a request.
 */
import { trimEnd } from '../../trim-end.js';
import { tryUrl } from '../../try-url.js';
import { wellFormed } from '../../well-formed.js';
import { bounded, type PathSource, pathOf, refused } from './path-sources.js';

const REFERENCE_DEPTH_MAX = 20;

type Node = Readonly<Record<string, unknown>>;

export function pathsFromOpenApi(document: unknown): PathSource {
  if (!isNode(document) || !/^3\./.test(String(document['openapi'])))
    throw refused('openapi', 'it is not an OpenAPI 3 document');
  const items = document['paths'];
  if (!isNode(items)) throw refused('openapi', 'it has no paths');
  const base = basePath(document);
  const paths: string[] = [];
  const skipped: { path: string; why: string }[] = [];
  for (const [template, value] of Object.entries(items)) {
    const item = resolve(document, value);
    if (!isNode(item) || item['get'] === undefined) continue;
    const filled = fill(template, parametersOf(document, item));
    const path = typeof filled === 'string' ? pathOf(base + filled) : undefined;
    if (path === undefined)
      skipped.push({ path: template, why: typeof filled === 'string' ? 'is not a path' : filled.why });
    else paths.push(path);
  }
  return { paths: bounded(paths), skipped };
}

/** The path of the first server, without a trailing slash. */
function basePath(document: Node): string {
  const [server] = Array.isArray(document['servers']) ? (document['servers'] as unknown[]) : [];
  const url = isNode(server) ? String(server['url']) : '/';
  return trimEnd(tryUrl(url, 'http://path.invalid')?.pathname ?? '', '/');
}

interface Parameter {
  readonly name: string;
  readonly where: string;
  readonly required: boolean;
  readonly value: string | undefined;
}

function parametersOf(document: Node, item: Node): readonly Parameter[] {
  const get = resolve(document, item['get']);
  const lists = [item['parameters'], isNode(get) ? get['parameters'] : undefined];
  const parameters = new Map<string, Parameter>();
  for (const raw of lists.flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : []))) {
    const node = resolve(document, raw);
    if (!isNode(node)) continue;
    const name = String(node['name']);
    const where = String(node['in']);
    parameters.set(`${where} ${name}`, {
      name,
      where,
      required: node['required'] === true,
      value: sampleOf(document, node),
    });
  }
  return [...parameters.values()];
}

/** The first value that the document itself suggests. */
function sampleOf(document: Node, parameter: Node): string | undefined {
  const schema = resolve(document, parameter['schema']);
  const examples = resolve(document, parameter['examples']);
  const first = isNode(examples) ? resolve(document, Object.values(examples)[0]) : undefined;
  const inSchema = isNode(schema)
    ? [schema['example'], firstOf(schema['examples']), schema['default'], firstOf(schema['enum'])]
    : [];
  const found = [parameter['example'], isNode(first) ? first['value'] : undefined, ...inSchema].find(
    isScalar,
  );
  return found === undefined ? undefined : String(found);
}

function firstOf(list: unknown): unknown {
  return Array.isArray(list) ? (list as unknown[])[0] : undefined;
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function fill(template: string, parameters: readonly Parameter[]): string | { readonly why: string } {
  const value = (name: string, where: string) =>
    parameters.find((one) => one.name === name && one.where === where)?.value;
  const missing = [...template.matchAll(/\{([^{}]+)\}/g)]
    .map(([, name = '']) => name)
    .filter((name) => value(name, 'path') === undefined);
  if (missing.length > 0) return { why: `has no example for ${missing.join(', ')}` };
  const path = template.replace(/\{([^{}]+)\}/g, (_, name: string) => encodeText(value(name, 'path') ?? ''));
  const required = parameters.filter((one) => one.where === 'query' && one.required);
  const unset = required.filter((one) => one.value === undefined).map(({ name }) => name);
  if (unset.length > 0) return { why: `has no example for ${unset.join(', ')}` };
  const query = required.map((one) => `${encodeText(one.name)}=${encodeText(one.value ?? '')}`);
  return query.length === 0 ? path : `${path}?${query.join('&')}`;
}

function resolve(document: Node, value: unknown, depth = 0): unknown {
  if (!isNode(value) || typeof value['$ref'] !== 'string') return value;
  const reference = value['$ref'];
  if (!reference.startsWith('#/'))
    throw refused('openapi', `it refers to ${reference.slice(0, 200)}, which is outside the document`);
  if (depth >= REFERENCE_DEPTH_MAX)
    throw refused('openapi', `references nest deeper than ${REFERENCE_DEPTH_MAX}`);
  let target: unknown = document;
  for (const part of reference.slice(2).split('/')) {
    const key = decode(part).replaceAll('~1', '/').replaceAll('~0', '~');
    target = isNode(target) && Object.hasOwn(target, key) ? target[key] : undefined;
  }
  if (target === undefined)
    throw refused('openapi', `it refers to ${reference.slice(0, 200)}, which does not exist`);
  return resolve(document, target, depth + 1);
}

const encodeText = (text: string): string => encodeURIComponent(wellFormed(text));

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw refused('openapi', `it refers to ${part.slice(0, 200)}, which is not percent-encoded UTF-8`);
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
