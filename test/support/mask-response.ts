/**
 * The published list of what may differ between engines (`docs/ENGINES.md`): ids, hashes, signatures, times, `Date`,
 * connection headers and facts, `assurance`. Everything else in a response must be the same. What a platform hides is
 * missing from `coverage`, so facts that one engine cannot see of a connection are removed from both sides.
 */
import type { IncomingHttpHeaders } from 'node:http';

export interface RecordedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Headers of the connection, not of the response. */
const CONNECTION_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'transfer-encoding',
]);

const OF_THE_MOMENT: ReadonlySet<string> = new Set(['date', 'stream-cursor', 'ratelimit']);

/** Facts about a connection, and who made it. */
const CONNECTION_FACTS: ReadonlySet<string> = new Set([
  'address',
  'assurance',
  'certificate',
  'cf',
  'dns',
  'phases',
  'protocol',
  'runner',
  'tls',
  'tlsVersion',
  'wireBytes',
]);

const TIMES: ReadonlySet<string> = new Set(['timestamp', 'ts', 'seconds']);

/** The sections of `coverage` that concern the connection. */
const CONNECTION_SECTIONS = /^(timing|protocol|address|certificate|cf|tls|dns|exchanges\.(dns|tls))$/;

/** Findings about response times: a busy machine has more of them. The counts of findings depend on them. */
const OF_TIMING = /^TIMING_/;
/** Comparisons whose responses are compared ignore timing findings and nothing else, and mention what they ignore. */
const IGNORED_NOTE = / findings? (?:is|are) ignored by /;

const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/\b([Nn]othing) new on\b/g, '$1 on'],
  [/\b[0-9a-f]{40}:[0-9a-f-]{36}\b/g, '<id>'],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '<id>'],
  [/\b[0-9a-f]{40}\b/g, '<hash>'],
  // The hash of a stream, in its offsets and entity tags.
  [/\b[0-9a-z]{5}(?=:\d{8}:\d{10}\b|-\d+\.\d+-\d+\.\d+)/g, '<hash>'],
  [/\bexpires=\d+&signature=[\w-]+/g, '<signature>'],
  [/\b[0-9a-f]{64}\b/g, '<hash>'],
  [/\d{4}-\d\d-\d\d \d\d:\d\d UTC/g, '<time>'],
  [/\bwhsec_[A-Za-z0-9+/=]+/g, '<signature>'],
  [/\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT\b/g, '<time>'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '<time>'],
];

/** `origin` is the server's own. */
export async function readResponse(response: Response, origin: string): Promise<RecordedResponse> {
  const text = withoutSides(await response.text());
  const headers = [...response.headers]
    .filter(([name, value]) => !CONNECTION_HEADERS.has(name) && !isOfTheMoment(response, name, value))
    .map(([name, value]) => [name, maskText(plainHeader(name, value), origin)] as const);
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  const body = isJson && text !== '' ? maskValue(JSON.parse(text), origin) : maskText(text, origin);
  return { status: response.status, headers: Object.fromEntries(headers), body };
}

/**
 * For two doors to the same engine: hides ids, hashes and times only. The framing and the headers of the connection
 * must be the same too; a length must be that of the body.
 */
export function maskWhole(
  { status, headers, text }: { status: number; headers: IncomingHttpHeaders; text: string },
  origin: string,
): RecordedResponse {
  const masked = Object.entries(headers).map(([name, value]) => {
    if (OF_THE_MOMENT.has(name)) return [name, '<time>'];
    const isExact = name === 'content-length' && Number(value) === Buffer.byteLength(text);
    return [name, isExact ? '<exact>' : maskText(plainHeader(name, String(value)), origin)];
  });
  const isJson = headers['content-type']?.includes('json') && text !== '';
  return {
    status,
    headers: Object.fromEntries(masked),
    body: isJson ? maskTimes(JSON.parse(text), origin) : maskText(text, origin),
  };
}

function maskTimes(value: unknown, origin: string, name = ''): unknown {
  if (typeof value === 'string') return name === 'tenantId' ? '<id>' : maskText(value, origin);
  if (typeof value === 'number') return isTime(name) ? '<time>' : value;
  if (Array.isArray(value)) return value.map((each) => maskTimes(each, origin, name));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, maskTimes(each, origin, key)]));
}

const isTime = (name: string) => TIMES.has(name) || name.endsWith('Ms') || name.endsWith('At');

/** The order of the two sides is random in each round, so events are compared without the side. */
function withoutSides(text: string): string {
  if (!/probe(?:Left|Right)/.test(text)) return text;
  return text
    .replace(/\b(probe|save)(?:Left|Right)/g, '$1<side>')
    .replace(/\bthe (?:left|right) side\b/g, 'the <side> side');
}

/** Whether the upstream had already ended: then a create has the outcome. The edge names a coding for long bodies. */
function isOfTheMoment({ status }: Response, name: string, value: string): boolean {
  if (name === 'upstream-outcome') return status === 201;
  return name === 'content-encoding' && value === 'identity';
}

/** The upstream's headers are packed into one, including its `Date`. */
function plainHeader(name: string, value: string): string {
  return name === 'upstream-headers' ? Buffer.from(value, 'base64url').toString() : value;
}

export function maskText(text: string, origin: string): string {
  const own = text.replaceAll(origin, '<server>');
  return PATTERNS.reduce((masked, [pattern, name]) => masked.replace(pattern, name), own);
}

function maskValue(value: unknown, origin: string): unknown {
  if (typeof value === 'string') return maskText(value, origin);
  if (Array.isArray(value)) return value.map((each) => maskValue(each, origin));
  if (value === null || typeof value !== 'object') return value;
  const kept = Object.entries(value).filter(
    ([name]) => !CONNECTION_FACTS.has(name) && !CONNECTION_SECTIONS.test(name),
  );
  return Object.fromEntries(kept.map(([name, each]) => [name, maskField(name, each, origin)]));
}

function maskField(name: string, value: unknown, origin: string): unknown {
  if (isTime(name) && typeof value === 'number') return '<time>';
  if (name === 'worker' || name === 'tenantId') return '<id>';
  if ((name === 'findings' || name === 'suppressed') && typeof value === 'number') return '<count>';
  if (name === 'findings' && Array.isArray(value)) {
    const steady = value.filter(({ code }) => !OF_TIMING.test(String(code)));
    return maskValue(steady, origin);
  }
  if (name === 'notes' && Array.isArray(value))
    return maskValue(
      value.filter((note) => !IGNORED_NOTE.test(String(note))),
      origin,
    );
  if (name === 'observed' && Array.isArray(value))
    return value.filter((section) => !CONNECTION_SECTIONS.test(String(section)));
  if (name === 'notCompared' && Array.isArray(value)) {
    const visible = value.filter(({ part }) => part !== 'TLS' && part !== 'DNS');
    return maskValue(visible, origin);
  }
  return maskValue(value, origin);
}
