/**
 * Records what every operation responds to every credential and body: status, error code, `WWW-Authenticate`, `Allow`
 * and the CORS headers, not the texts. Credentials with the same outcome share a line.
 */
import type { ApiDocument, Operation } from '../support/api-fuzz/api-document.js';
import { AT_EDGE } from '../support/serve-engine.js';
import { type Maker, ORDER } from './credentials.js';
import { Outcomes } from './outcomes.js';
import type { Credential, Part, Row, Target, World } from './part.js';
import type { Client, Fields, Received, Sent } from './send.js';

/** The limits of the servers under test, so that bodies can exceed them cheaply. */
export const BODY_BYTES_MAX = 8_000;
export const PROXY_BODY_BYTES_MAX = 16_000;
const [LARGE, TOO_LARGE] = [BODY_BYTES_MAX + 1_000, PROXY_BODY_BYTES_MAX + 1_000];

/** A trace id sends the request through the app where there is also a direct way. */
const TRACED = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' };
const TWO_WAYS = /^(?:\/v1\/stream\/(?!__ds)|\/r\/)/;

const json = { 'content-type': 'application/json' };
type Body = Pick<Sent, 'headers' | 'body' | 'framing'>;

/** The bodies of an operation, by name; the first one succeeds. */
function bodiesFor({ method, requestBody }: Operation, { json: value, text }: Target): Record<string, Body> {
  const small = { body: '{}', headers: json };
  if (!requestBody) {
    const isRead = method === 'GET' || method === 'HEAD';
    return { good: {}, 'a body': small, ...(!isRead && { 'too large': filled(TOO_LARGE, 'stated') }) };
  }
  if (value === undefined) {
    return {
      good: { body: text ?? '' },
      none: {},
      chunked: { body: text ?? '', framing: 'chunked' },
      // The edge has the same limit for all bodies.
      ...(!AT_EDGE && {
        large: { body: 'x'.repeat(LARGE) },
        'large, chunked': { body: 'x'.repeat(LARGE), framing: 'chunked' },
      }),
      'too large': { body: 'x'.repeat(TOO_LARGE) },
      'too large, chunked': { body: 'x'.repeat(TOO_LARGE), framing: 'chunked' },
    };
  }
  const good = JSON.stringify(value);
  return {
    good: { headers: json, body: good },
    none: {},
    'none, as JSON': { headers: json, body: '' },
    malformed: { headers: json, body: '{' },
    'of another shape': { headers: json, body: '[1]' },
    'as text': { headers: { 'content-type': 'text/plain' }, body: good },
    'without a type': { body: good },
    chunked: { headers: json, body: good, framing: 'chunked' },
    'too large': filled(LARGE, 'stated'),
    'too large, chunked': filled(LARGE, 'chunked'),
  };
}

function filled(bytes: number, framing: Sent['framing']): Body {
  return { headers: json, body: JSON.stringify({ filler: 'x'.repeat(bytes) }), ...(framing && { framing }) };
}

export interface Bench {
  readonly client: Client;
  readonly world: World;
  readonly api: ApiDocument;
  readonly usual: Usual;
  readonly callers: ReadonlyMap<string, Maker>;
}

/** Header values of most responses, which lines leave out. */
export interface Usual {
  readonly expose: string;
  readonly allowHeaders: string;
  readonly allowMethods: string;
}

export async function readUsual(client: Client): Promise<Usual> {
  const preflight = await client.send({ method: 'OPTIONS', path: '/api/health' });
  const plain = await client.send({ method: 'GET', path: '/api/health' });
  return {
    expose: String(plain.headers['access-control-expose-headers']),
    allowHeaders: String(preflight.headers['access-control-allow-headers']),
    allowMethods: String(preflight.headers['access-control-allow-methods']),
  };
}

/** Sends every credential with the good body, and those of `ORDER` with the others. */
export async function recordRow(
  bench: Bench,
  request: Pick<Request, 'operation' | 'row'>,
): Promise<string[]> {
  let target = await request.row(bench.world);
  const outcomes = new Outcomes();
  for (const body of Object.keys(bodiesFor(request.operation, target))) {
    for (const [caller, maker] of callersOf(bench, target, body)) {
      const seen: string[] = [];
      for (const way of !AT_EDGE && TWO_WAYS.test(target.path) ? [{}, TRACED] : [{}]) {
        const received = await sendCase(bench, request.operation, { target, body, caller, maker, way });
        seen.push(outcomeOf(received, bench.usual));
        target = await targetAfter(bench, request, { target, received });
      }
      const [first = '', second = first] = seen;
      outcomes.add(body, first, caller);
      if (second !== first) outcomes.add(`${body}, traced`, second, caller);
    }
  }
  return outcomes.lines();
}

/** A proof belongs to the target, so it has no maker. */
function callersOf({ callers }: Bench, { proofs = {} }: Target, body: string): [string, Maker | undefined][] {
  const makers = [...callers].filter(([caller]) => body === 'good' || ORDER.includes(caller));
  return [...makers, ...Object.keys(proofs).map((name): [string, undefined] => [name, undefined])];
}

interface Case {
  readonly target: Target;
  readonly body: string;
  readonly caller: string;
  readonly maker: Maker | undefined;
  readonly way: Fields;
}

async function sendCase(
  { client }: Bench,
  operation: Operation,
  { target, body, caller, maker, way }: Case,
): Promise<Received> {
  const { headers, query } = maker ? await carried(maker, target) : (target.proofs?.[caller] ?? {});
  const sent = bodiesFor(operation, target)[body];
  const separator = target.path.includes('?') ? '&' : '?';
  return client.send({
    ...sent,
    method: operation.method,
    path: query === undefined ? target.path : `${target.path}${separator}${query}`,
    headers: { ...target.headers, ...sent?.headers, ...headers, ...way },
  });
}

/** A new target if the request has changed the last one. */
async function targetAfter(
  { world }: Bench,
  { operation, row }: Pick<Request, 'operation' | 'row'>,
  { target, received }: { target: Target; received: Received },
): Promise<Target> {
  if (received.status >= 400 || operation.method === 'GET' || operation.method === 'HEAD') return target;
  const undo = target.undo?.(received);
  if (undo) await world.send(undo.method, undo.path);
  return row(world);
}

const NOBODY: Maker = async () => ({});
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'];
const PREFLIGHT = {
  origin: 'https://elsewhere.example.com',
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'authorization, x-stainless-lang',
};

/** Sends what a path does not support: other methods, a trailing slash, and preflights, which it does. */
export async function recordPath(
  { client, usual, callers }: Bench,
  path: string,
  supported: readonly string[],
): Promise<string[]> {
  const outcomes = new Outcomes();
  const sent: readonly Sent[] = [
    ...METHODS.filter((method) => !supported.includes(method)).map((method) => ({ method, path })),
    ...(supported.length > 0 ? supported : ['GET']).map((method) => ({ method, path: `${path}/` })),
    { method: 'OPTIONS', path },
  ];
  for (const caller of ['none', 'admin']) {
    for (const each of sent) {
      const { headers } = await carried(callers.get(caller) ?? NOBODY, {});
      const received = await client.send({ ...each, headers: headers ?? {} });
      outcomes.add(
        `${each.method}${each.path === path ? '' : ' with a slash'}`,
        outcomeOf(received, usual),
        caller,
      );
    }
  }
  const preflight = await client.send({ method: 'OPTIONS', path, headers: PREFLIGHT });
  outcomes.add('preflight', outcomeOf(preflight, usual), 'a foreign page');
  return outcomes.lines();
}

export async function recordUnusual(
  { client, usual, callers }: Bench,
  requests: readonly Sent[],
): Promise<string[]> {
  const outcomes = new Outcomes();
  for (const sent of requests) {
    for (const caller of ['none', 'admin']) {
      const { headers } = await carried(callers.get(caller) ?? NOBODY, {});
      const received = await client.send({ ...sent, headers: headers ?? {} });
      outcomes.add(`${sent.method} ${sent.path}`, outcomeOf(received, usual), caller);
    }
  }
  return outcomes.lines();
}

/** Sends a request when its caller has used up the rate limit. */
export async function recordLimited(
  { client, usual, callers }: Bench,
  { method, path }: Operation,
): Promise<string[]> {
  const outcomes = new Outcomes();
  for (const caller of ['none', 'admin']) {
    const headers = (await carried(callers.get(caller) ?? NOBODY, {})).headers ?? {};
    for (let used = 0; used < 2; used++) await client.send({ method: 'GET', path: '/api/session', headers });
    outcomes.add(
      'limited',
      outcomeOf(await client.send({ method, path: filledPath(path), headers }), usual),
      caller,
    );
  }
  return outcomes.lines();
}

const filledPath = (path: string) => path.replace(/\{route\}/, 'keyed').replace(/\{\w+\}/g, 'unknown');

async function carried(maker: Maker, { carry }: Pick<Target, 'carry'>): Promise<Credential> {
  const { token, headers = {}, query } = await maker();
  const bearer =
    token === undefined ? {} : (carry?.(token) ?? { headers: { authorization: `Bearer ${token}` } });
  const queries = [query, bearer.query].filter((each) => each !== undefined).join('&');
  return { headers: { ...bearer.headers, ...headers }, ...(queries !== '' && { query: queries }) };
}

function outcomeOf({ status, headers, text }: Received, usual: Usual): string {
  const name = (header: string) => headers[header] as string | undefined;
  const expose = name('access-control-expose-headers');
  const allowed = name('access-control-allow-headers');
  const methods = name('access-control-allow-methods');
  const origin = name('access-control-allow-origin');
  return [
    status,
    status >= 400 ? codeIn(text) : '',
    shown('authenticate', name('www-authenticate')),
    shown('allow', name('allow')),
    origin === '*' ? '' : `origin=${origin ?? 'none'}`,
    expose === usual.expose ? '' : `exposed=${difference(expose, usual.expose)}`,
    allowed === undefined ? '' : `headers=${difference(allowed, usual.allowHeaders)}`,
    methods === undefined ? '' : `methods=${difference(methods, usual.allowMethods)}`,
    shown('age', name('access-control-max-age')),
    shown('credentials', name('access-control-allow-credentials')),
    shown('vary', name('vary')),
  ]
    .filter((part) => part !== '')
    .join(' ');
}

function shown(label: string, value: string | undefined): string {
  return value === undefined ? '' : `${label}="${value}"`;
}

function codeIn(text: string): string {
  try {
    return String((JSON.parse(text) as { error: { code: string } }).error.code);
  } catch {
    return text === '' ? '' : 'UPSTREAM';
  }
}

/** `usual`, or what a list has more and less. */
function difference(list: string | undefined, usual: string): string {
  if (list === undefined) return 'none';
  const [names, usualNames] = [list.split(', '), usual.split(', ')];
  const more = names.filter((each) => !usualNames.includes(each)).map((each) => `+${each}`);
  const less = usualNames.filter((each) => !names.includes(each)).map((each) => `-${each}`);
  return [...more, ...less].join('') || 'usual';
}

function operationOf(api: ApiDocument, id: string): Operation {
  const found = api.operations.find(({ operationId }) => operationId === id);
  if (!found) throw new Error(`the API document has no operation ${id}`);
  return found;
}

interface Request {
  readonly title: string;
  readonly operation: Operation;
  readonly row: Row;
}

/** Each operation of a part, and its further requests. */
export function requestsOf(part: Part, api: ApiDocument): Request[] {
  const request = (id: string, row: Row, note: string): Request => {
    const operation = operationOf(api, id);
    return { title: `${id}: ${operation.method} ${operation.path}${note}`, operation, row };
  };
  return [
    ...Object.entries(part.rows).map(([id, row]) => request(id, row, '')),
    ...Object.entries(part.further ?? {}).map(([note, { of, row }]) => request(of, row, `, ${note}`)),
  ];
}

/** The paths of a part with the methods that the API document has for them. */
export function pathsOf(part: Part, api: ApiDocument): Map<string, string[]> {
  const paths = new Map<string, string[]>();
  for (const id of Object.keys(part.rows)) {
    const { path, method } = operationOf(api, id);
    paths.set(filledPath(path), [...(paths.get(filledPath(path)) ?? []), method]);
  }
  for (const path of part.paths ?? []) paths.set(path, []);
  return paths;
}
