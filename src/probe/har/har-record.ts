/**
 * Converts a HAR entry to the record that is kept: redacted, with facts about the body instead of the body itself.
 * The original entry is not kept.
 */
import type { HeaderList, HeaderPair } from '../../net/index.js';
import { tryUrl } from '../../try-url.js';
import { mediaType } from '../body/media-kind.js';
import { readBodyFacts } from '../body/read-body-facts.js';
import type { BodyFacts } from '../body-facts.js';
import type { AddressFacts, Phases } from '../connection-facts.js';
import type { ProbeRedactor } from '../probe-redactor.js';
import { readCookies } from '../read-cookies.js';
import { readHeaders } from '../read-headers.js';
import type {
  CookieFacts,
  EnvelopeSource,
  ProbeError,
  RequestFacts,
  ResourceFacts,
  ResponseHeaders,
} from '../signal-envelope.js';
import type { HarEntry } from './har-entry.js';

export interface HarRecord {
  /** Compared with the requested URL: without a fragment, and redacted like every other text. */
  readonly url: string;
  readonly method: string;
  readonly page?: string;
  readonly startedAt: string;
  readonly durationMs?: number;
  readonly status: number;
  readonly error?: ProbeError;
  readonly headers: ResponseHeaders;
  readonly contentLength?: number;
  readonly cookies: readonly CookieFacts[];
  /** The resolved target of a redirect. */
  readonly redirectUrl?: string;
  readonly phases?: Phases;
  readonly protocol?: string;
  readonly address?: AddressFacts;
  readonly body?: BodyFacts;
  readonly request: RequestFacts;
  readonly cacheState: NonNullable<EnvelopeSource['cacheState']>;
  readonly kind: ResourceFacts['kind'];
}

const BODY_CHARS = 4_000_000;
const PROTOCOLS: Readonly<Record<string, string>> = {
  'http/2': 'h2',
  'http/2.0': 'h2',
  h2: 'h2',
  'http/3': 'h3',
  'http/3.0': 'h3',
  h3: 'h3',
};

export function urlKey(url: string): string {
  return tryUrl(url)?.href.replace(/#.*/, '') ?? url;
}

export function toRecord(entry: HarEntry, redactor: ProbeRedactor): HarRecord {
  const { request, response } = entry;
  const headers = headerList(response.headers);
  const capturedAtMs = Date.parse(entry.startedDateTime);
  const status = Math.trunc(response.status);
  const failed = status < 100 || status > 999;
  const location = redirectOf(entry, headers);
  const body = failed ? undefined : bodyOf(entry, redactor);
  const length = headers.find(([name]) => name === 'content-length')?.[1];
  const phases = phasesOf(entry);
  const address = addressOf(entry.serverIPAddress);
  const protocol = (response.httpVersion || request.httpVersion).toLowerCase();
  return {
    url: redactor.text(urlKey(request.url)),
    method: request.method.toUpperCase(),
    ...(entry.pageref !== undefined && { page: entry.pageref }),
    startedAt: Number.isNaN(capturedAtMs) ? new Date(0).toISOString() : new Date(capturedAtMs).toISOString(),
    ...(entry.time >= 0 && { durationMs: entry.time }),
    status,
    ...(failed && { error: errorOf(response._error ?? '', redactor) }),
    headers: readHeaders(headers, 'full', redactor),
    ...(length !== undefined && /^\d{1,15}$/.test(length) && { contentLength: Number(length) }),
    cookies: readCookies(headers, { redactor, capturedAtMs: capturedAtMs || 0 }),
    ...(location !== undefined && { redirectUrl: redactor.text(location) }),
    ...(phases && { phases }),
    ...(protocol !== '' && { protocol: PROTOCOLS[protocol] ?? protocol }),
    ...(address && { address }),
    ...(body && { body }),
    request: requestFacts(entry, redactor),
    cacheState: cacheStateOf(entry),
    kind: kindOf(entry),
  };
}

/** Drops HTTP/2 pseudo-headers. Recorders may join repeated Set-Cookie lines into one value with line breaks. */
export function headerList(pairs: readonly { readonly name: string; readonly value: string }[]): HeaderList {
  return pairs
    .filter(({ name }) => !name.startsWith(':'))
    .flatMap(({ name, value }): HeaderPair[] => {
      const lower = name.toLowerCase();
      return lower === 'set-cookie' ? value.split('\n').map((line) => [lower, line]) : [[lower, value]];
    });
}

function redirectOf({ request, response }: HarEntry, headers: HeaderList): string | undefined {
  if (![301, 302, 303, 307, 308].includes(response.status)) return undefined;
  const location = response.redirectURL || headers.find(([name]) => name === 'location')?.[1];
  if (!location) return undefined;
  return tryUrl(location, request.url)?.href ?? location;
}

function bodyOf({ request, response }: HarEntry, redactor: ProbeRedactor): BodyFacts | undefined {
  const { content } = response;
  const declared = response.headers.find(({ name }) => name.toLowerCase() === 'content-type')?.value;
  const contentType = declared ?? (content.mimeType === '' ? undefined : content.mimeType);
  if (content.text === undefined || (content.text === '' && content.size > 0)) {
    if (content.size < 0) return undefined;
    return {
      bytes: Math.trunc(content.size),
      truncated: false,
      kind: content.size === 0 ? 'empty' : 'binary',
    };
  }
  const bytes = bytesOf(content.text.slice(0, BODY_CHARS), content.encoding);
  if (!bytes) return undefined;
  const truncated = content.text.length > BODY_CHARS;
  const host = tryUrl(request.url)?.host;
  const hosts = host === undefined ? [] : [host];
  // The recorder has already decoded the text, whatever charset the header declares.
  const textual =
    content.encoding === 'base64' ? contentType : contentType?.replace(/;\s*charset=[^;]*/i, '');
  return readBodyFacts(
    { bytes, truncated },
    { contentType: textual, finalUrl: request.url, hosts, redactor },
  );
}

function bytesOf(text: string, encoding: string): Uint8Array | undefined {
  if (encoding !== 'base64') return new TextEncoder().encode(text);
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function phasesOf({ timings }: HarEntry): Phases | undefined {
  const known = (value: number | undefined): value is number => value !== undefined && value >= 0;
  const { dns, connect, ssl, send, wait, receive } = timings;
  // `connect` includes the TLS handshake (HAR 1.2, timings).
  const tcp = known(connect) && known(ssl) ? Math.max(0, connect - ssl) : connect;
  const phases = {
    ...(known(dns) && { dns }),
    ...(known(tcp) && { connect: tcp }),
    ...(known(ssl) && { tls: ssl }),
    ...(known(wait) && { ttfb: wait + (known(send) ? send : 0) }),
    ...(known(receive) && { download: receive }),
  };
  return Object.keys(phases).length > 0 ? phases : undefined;
}

function addressOf(text: string | undefined): AddressFacts | undefined {
  const ip = text?.replace(/^\[|\]$/g, '') ?? '';
  if (!/^[0-9a-f.:]{2,45}$/i.test(ip)) return undefined;
  return { ip, family: ip.includes(':') ? 6 : 4 };
}

function requestFacts({ request }: HarEntry, redactor: ProbeRedactor): RequestFacts {
  const headers = headerList(request.headers);
  const valueFor = (name: string): string | undefined => headers.find(([each]) => each === name)?.[1];
  const [userAgent, accept] = [valueFor('user-agent'), valueFor('accept')];
  const [language, encoding] = [valueFor('accept-language'), valueFor('accept-encoding')];
  return {
    method: request.method.toUpperCase(),
    headerNames: [...new Set(headers.map(([name]) => redactor.short(name, 100)))].sort(),
    ...(userAgent !== undefined && { userAgent: redactor.text(userAgent) }),
    ...(accept !== undefined && { accept: redactor.text(accept) }),
    ...(language !== undefined && { acceptLanguage: redactor.text(language) }),
    ...(encoding !== undefined && { acceptEncoding: redactor.text(encoding) }),
    hadCookies: valueFor('cookie') !== undefined || request.cookies.length > 0,
    hadAuthorization: valueFor('authorization') !== undefined,
  };
}

function cacheStateOf({ _fromCache, response }: HarEntry): HarRecord['cacheState'] {
  if (_fromCache !== undefined && _fromCache !== '') return 'cache';
  return response.status === 304 ? 'revalidated' : 'network';
}

const ERRORS: readonly (readonly [RegExp, ProbeError['code']])[] = [
  [/NAME_NOT_RESOLVED|DNS|NS_ERROR_UNKNOWN_HOST/i, 'dns_error'],
  [/TIMED_OUT|TIMEOUT/i, 'timeout'],
  [/CERT|SSL|TLS|SEC_ERROR/i, 'tls_error'],
  [/TOO_MANY_REDIRECTS|REDIRECT_LOOP/i, 'redirect_limit'],
  [/CONNECTION_REFUSED|ADDRESS_UNREACHABLE|INTERNET_DISCONNECTED/i, 'connect_error'],
  [/ABORTED/i, 'canceled'],
];

function errorOf(text: string, redactor: ProbeRedactor): ProbeError {
  const code = ERRORS.find(([pattern]) => pattern.test(text))?.[1] ?? 'fetch_error';
  const reason = redactor.short(text, 200);
  return {
    code,
    message:
      reason === '' ? 'the recording has no response for this request' : `the recorder reported: ${reason}`,
    ...(reason !== '' && { details: { reason } }),
  };
}

const KINDS: readonly (readonly [RegExp, ResourceFacts['kind']])[] = [
  [/^(?:document|text\/html|application\/xhtml\+xml)$/, 'document'],
  [/^script$|javascript|ecmascript/, 'script'],
  [/^stylesheet$|^text\/css$/, 'style'],
  [/^image/, 'image'],
  [/^font|^application\/(?:x-)?font|woff/, 'font'],
  [/^(?:media|audio\/|video\/)/, 'media'],
  [/^(?:xhr|fetch|websocket|eventsource)$|json/, 'fetch'],
];

function kindOf({ _resourceType, response }: HarEntry): ResourceFacts['kind'] {
  const clues = [_resourceType ?? '', mediaType(response.content.mimeType)];
  for (const clue of clues) {
    const kind = KINDS.find(([pattern]) => pattern.test(clue))?.[1];
    if (kind !== undefined) return kind;
  }
  return 'other';
}
