/**
 * Parses one line of an egress case file: a URL or a request, the scripted DNS answers and network responses, and the
 * expected outcome. Parsing is strict: an unknown field or a wrong type is an error that names the line, so a
 * misspelt assertion is never silently ignored.
 */
import { SondeError } from '../../errors.js';

/** DNS answers for successive lookups; the last one repeats. */
export type Answers = readonly (readonly string[])[];

export interface ScriptedHop {
  readonly status: number;
  readonly locations: readonly string[];
}

export interface CaseAssertions {
  readonly lastHopHas?: readonly string[];
  readonly lastHopLacks?: readonly string[];
  readonly lastMethod?: string;
  readonly connectOnly?: readonly string[];
  readonly neverConnect?: readonly string[];
  readonly maxLookups?: number;
  readonly firstRequest?: 'allow' | 'block';
}

export interface EgressCase {
  readonly id: string;
  readonly url: string;
  readonly method: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body?: string;
  readonly hops: readonly ScriptedHop[];
  readonly requests: number;
  /** Each request gets its own socket. */
  readonly newConnection: boolean;
  /** Answers per host, or one list for every host. */
  readonly resolves: ReadonlyMap<string, Answers> | Answers;
  readonly expect: 'allow' | 'block';
  readonly assert: CaseAssertions;
}

type Fields = Readonly<Record<string, unknown>>;

const REQUESTS_MAX = 100;

export function readEgressCase(line: string, lineNumber: number): EgressCase {
  try {
    return readFields(fieldsOf(JSON.parse(line), 'the case'));
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new SondeError('FILE_UNREADABLE', `line ${lineNumber}: ${why}`, {
      cause,
      details: { line: lineNumber },
    });
  }
}

function readFields(row: Fields): EgressCase {
  only(row, ['id', 'kind', 'input', 'resolves', 'expect', 'assert', 'tags', 'reason']);
  oneOf(row, 'kind', ['url', 'dns', 'redirect']);
  const input = typeof row['input'] === 'string' ? { url: row['input'] } : fieldsOf(row['input'], 'input');
  only(input, ['url', 'method', 'headers', 'body', 'hops', 'requests', 'newConnection']);
  const body = input['body'];
  return {
    id: text(row, 'id'),
    url: text(input, 'url'),
    method: input['method'] === undefined ? 'GET' : text(input, 'method'),
    headers: Object.entries(fieldsOf(input['headers'] ?? {}, 'headers')).map(([name, value]) => [
      name,
      String(value),
    ]),
    ...(body !== undefined && { body: String(body) }),
    hops: listOf(input['hops'] ?? [], 'hops').map(readHop),
    requests: input['requests'] === undefined ? 1 : count(input, 'requests'),
    newConnection: input['newConnection'] !== false,
    resolves: readResolves(row['resolves'] ?? []),
    expect: verdict(row, 'expect'),
    assert: readAssertions(fieldsOf(row['assert'] ?? {}, 'assert')),
  };
}

function readHop(value: unknown): ScriptedHop {
  const hop = fieldsOf(value, 'a hop');
  only(hop, ['status', 'location']);
  if (typeof hop['status'] !== 'number') throw new Error('a hop needs a numeric status');
  const location = hop['location'];
  const locations =
    location === undefined ? [] : typeof location === 'string' ? [location] : strings(location, 'location');
  return { status: hop['status'], locations };
}

function readResolves(value: unknown): EgressCase['resolves'] {
  if (Array.isArray(value)) return readAnswers(value);
  return new Map(
    Object.entries(fieldsOf(value, 'resolves')).map(([host, list]) => [host, readAnswers(list)]),
  );
}

function readAnswers(value: unknown): Answers {
  const list = listOf(value, 'resolves');
  return list.some(Array.isArray)
    ? list.map((each) => strings(each, 'resolves'))
    : [strings(list, 'resolves')];
}

const list = (row: Fields, key: string) => strings(row[key], key);
const verdict = (row: Fields, key: string) => oneOf(row, key, ['allow', 'block']);

const ASSERTIONS: Readonly<Record<keyof CaseAssertions, (row: Fields, key: string) => unknown>> = {
  lastHopHas: list,
  lastHopLacks: list,
  lastMethod: text,
  connectOnly: list,
  neverConnect: list,
  maxLookups: count,
  firstRequest: verdict,
};

function readAssertions(row: Fields): CaseAssertions {
  only(row, Object.keys(ASSERTIONS));
  const given = Object.entries(ASSERTIONS).filter(([key]) => row[key] !== undefined);
  return Object.fromEntries(given.map(([key, read]) => [key, read(row, key)]));
}

function fieldsOf(value: unknown, what: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error(`${what} is not an object`);
  return value as Fields;
}

function only(row: Fields, known: readonly string[]): void {
  const unknown = Object.keys(row).find((key) => !known.includes(key));
  if (unknown !== undefined) throw new Error(`unknown field "${unknown}" (known: ${known.join(', ')})`);
}

function text(row: Fields, key: string): string {
  const value = row[key];
  if (typeof value !== 'string') throw new Error(`"${key}" is not a string`);
  return value;
}

function count(row: Fields, key: string): number {
  const value = row[key];
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > REQUESTS_MAX) {
    throw new Error(`"${key}" is not a whole number from 0 to ${REQUESTS_MAX}`);
  }
  return value;
}

function oneOf<T extends string>(row: Fields, key: string, allowed: readonly T[]): T {
  const found = allowed.find((each) => each === row[key]);
  if (found === undefined) throw new Error(`"${key}" is not one of ${allowed.join(', ')}`);
  return found;
}

function listOf(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new Error(`${what} is not a list`);
  return value;
}

function strings(value: unknown, what: string): string[] {
  return listOf(value, what).map((each) => {
    if (typeof each !== 'string') throw new Error(`${what} is not a list of strings`);
    return each;
  });
}
