/**
 * Reduces any value to one of five plain shapes: nothing to hide, a number, text, a list, or named entries.
 * Reads properties through functions, so that a throwing getter affects only itself. May throw on a hostile
 * proxy; the caller turns that into a marker.
 */
export const UNREADABLE = '[UNREADABLE]';

/** A key and how to read its value. */
export type Entry = readonly [key: string, read: () => unknown];

export type PlainShape =
  | { readonly kind: 'nothing'; readonly value: boolean | null | undefined }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'list'; readonly source: object; readonly items: readonly unknown[] }
  | { readonly kind: 'entries'; readonly source: object; readonly entries: readonly Entry[] };

const text = (value: string): PlainShape => ({ kind: 'text', value });

export function shapeOf(input: unknown): PlainShape {
  switch (typeof input) {
    case 'string':
      return text(input);
    case 'number':
      return { kind: 'number', value: input };
    case 'bigint':
    case 'symbol':
      return text(String(input));
    case 'function':
      return text(`[Function ${input.name}]`);
    case 'object':
      return input === null ? { kind: 'nothing', value: null } : shapeOfObject(input);
    default:
      return { kind: 'nothing', value: input as boolean | undefined };
  }
}

function shapeOfObject(source: object): PlainShape {
  if (Array.isArray(source)) return { kind: 'list', source, items: source };
  if (isLiteral(source)) return { kind: 'entries', source, entries: properties(source) };
  if (source instanceof Error) return { kind: 'entries', source, entries: errorEntries(source) };
  if (source instanceof Date)
    return text(Number.isNaN(source.getTime()) ? 'Invalid Date' : source.toISOString());
  if (source instanceof Map) return shapeOfMap(source);
  if (source instanceof Set) return { kind: 'list', source, items: [...source] };
  if (ArrayBuffer.isView(source) || source instanceof ArrayBuffer)
    return text(`[${source.byteLength} bytes]`);
  if (source instanceof URL) return text(source.href);
  if (source instanceof RegExp) return text(String(source));
  if (source instanceof String || source instanceof Number || source instanceof Boolean)
    return shapeOf(source.valueOf());
  if (isHeadersLike(source)) return { kind: 'entries', source, entries: headerEntries(source) };
  return { kind: 'entries', source, entries: properties(source) };
}

/** A fast path for plain objects, as in JSON and nearly all logs: they are none of the kinds checked one by one. */
function isLiteral(source: object): boolean {
  return Object.getPrototypeOf(source) === Object.prototype && !(Symbol.iterator in source);
}

const properties = (source: object): Entry[] => Object.keys(source).map((key) => property(source, key));

const property = (source: object, key: string): Entry => [key, () => readSafely(source, key)];

function readSafely(source: object, key: string): unknown {
  try {
    return Reflect.get(source, key);
  } catch {
    return UNREADABLE;
  }
}

/** The properties of an error that `Object.keys` does not list, then those that it does. */
function errorEntries(error: Error): Entry[] {
  const hidden = ['name', 'message', 'stack', 'cause', 'errors'].filter((key) => {
    const value = readSafely(error, key);
    return value !== undefined && value !== '';
  });
  return [...new Set([...hidden, ...Object.keys(error)])].map((key) => property(error, key));
}

/** A map with only string keys becomes an object; any other map becomes a list of pairs. */
function shapeOfMap(source: Map<unknown, unknown>): PlainShape {
  const pairs = [...source];
  if (!pairs.every(([key]) => typeof key === 'string')) return { kind: 'list', source, items: pairs };
  return { kind: 'entries', source, entries: pairs.map(([key, value]): Entry => [String(key), () => value]) };
}

interface HeadersLike extends Iterable<unknown> {
  readonly append: unknown;
}

/** Headers, URLSearchParams and FormData of any runtime: their entries are not properties. */
function isHeadersLike(source: object): source is HeadersLike {
  const candidate = source as Partial<HeadersLike>;
  return typeof candidate[Symbol.iterator] === 'function' && typeof candidate.append === 'function';
}

function headerEntries(source: HeadersLike): Entry[] {
  const values = new Map<string, unknown[]>();
  for (const entry of source) {
    if (!Array.isArray(entry)) continue;
    const name = String(entry[0]);
    const known = values.get(name);
    if (known === undefined) values.set(name, [entry[1]]);
    else known.push(entry[1]);
  }
  return [...values].map(([name, all]): Entry => [name, () => (all.length === 1 ? all[0] : all)]);
}
