/**
 * Reads and validates what a JSON operation takes, after its access was checked: the media type, the size, the nesting
 * depth and NUL of the body, then the query, the path, the headers and the JSON itself.
 */
import type * as z from 'zod';
import { SondeError } from '../errors.js';
import { refuseLargeJson } from '../parse-json.js';
import type { Call } from './call.js';
import { invalidRequest } from './invalid-request.js';
import type { Schemas } from './operation.js';
import { declaresBody, refuseNulInJson, refuseNulInUrl } from './refusals.js';

type Part = 'query' | 'params' | 'headers' | 'json';

/** What the schemas of an operation describe, parsed. */
export type Input<S extends Schemas> = {
  readonly [P in Part]: S[P] extends z.ZodType ? z.output<S[P]> : undefined;
} & {
  /** The JSON as received; empty without one. */
  readonly text: string;
};

/** Parsing and validating a body of this size takes less than 20 ms of CPU time, whatever it contains. */
export const API_BODY_BYTES_MAX = 128 * 1024;

export async function readInput<S extends Schemas>(schemas: S, call: Call): Promise<Input<S>> {
  refuseNulInUrl(call.path, call.query);
  const { query, params, headers, json } = schemas;
  const body = json && (await readJson(call, API_BODY_BYTES_MAX));
  const input = {
    text: body?.text ?? '',
    query: query && check('query', query, queryOf(call)),
    params: params && check('path', params, paramsOf(call, params)),
    headers: headers && check('header', headers, headersOf(call, headers)),
    json: json && check('body', json, body?.parse()),
  };
  return input as Input<S>;
}

function check(place: string, schema: z.ZodType, value: unknown): unknown {
  const { success, data, error } = schema.safeParse(value);
  if (success) return data;
  throw invalidRequest(place, error.issues);
}

/** A repeated name has a list. */
function queryOf(call: Call): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = {};
  const given = call.searchParams();
  for (const name of new Set(given.keys())) {
    const values = given.getAll(name);
    query[name] = values.length === 1 ? (values[0] ?? '') : values;
  }
  return query;
}

function paramsOf(call: Call, { shape }: z.ZodObject): Record<string, string> {
  return Object.fromEntries(Object.keys(shape).map((name) => [name, call.param(name)]));
}

/** Schemas name headers as the documentation does. */
function headersOf(call: Call, { shape }: z.ZodObject): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.keys(shape).map((name) => [name, call.header(name.toLowerCase()) ?? undefined]),
  );
}

interface JsonBody {
  readonly text: string;
  parse(): unknown;
}

/** Without a body and its type, the body is an empty object, and the schema says what is missing. */
async function readJson(call: Call, bytesMax: number): Promise<JsonBody> {
  const type = (call.header('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase();
  const isTyped = type === 'application/json';
  const isDeclared = declaresBody((name) => call.header(name));
  if (!isTyped && (type !== '' || isDeclared)) throw wrongType();
  const text = decodeText(await call.bytes(bytesMax));
  if (!isTyped && text !== '') throw wrongType();
  refuseLargeJson(text);
  refuseNulInJson(text);
  return { text, parse: () => (isTyped ? parse(text) : {}) };
}

function wrongType(): SondeError {
  return new SondeError('UNSUPPORTED_MEDIA_TYPE', 'The body must be sent as application/json.');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new SondeError('INVALID_REQUEST', 'The body is not valid JSON.', { cause });
  }
}

export function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new SondeError('INVALID_REQUEST', 'The body is not UTF-8 text.', { cause });
  }
}
