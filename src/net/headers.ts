/**
 * Header lists of the egress layer: ordered pairs, names in lower case, repeats kept. This is the one place that drops
 * headers a caller may not send: framing and hop-by-hop fields (including those that `Connection` names), `Host` (it
 * would also become the TLS server name), fields that claim another client or override the judged method, path or
 * host, and the headers that cloud metadata services require.
 */
import { SondeError } from '../errors.js';
import { wordSet } from './word-set.js';

export type HeaderPair = readonly [name: string, value: string];
export type HeaderList = readonly HeaderPair[];

const NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: field values exclude exactly these (RFC 9110 §5.5)
const BAD_VALUE = /[\u0000-\u0008\u000a-\u001f\u007f]|[^\u0000-\u00ff]/;

const DROPPED = wordSet(`
  connection content-length expect forwarded host keep-alive metadata metadata-flavor remote-user
  script-name te trailer transfer-encoding upgrade via x-http-method x-method x-host x-path x-script-name
  x-uri x-url
`);

/** Prefixes of hop-by-hop headers, metadata headers, and headers a gateway adds about the original request. */
const DROPPED_PREFIXES =
  /^(?:proxy-|sec-|x-aws-ec2-metadata-|x-metadata-|x-forwarded|x-original-|x-originating-|x-rewrite-|x-envoy-|x-proxyuser-|x-ms-client-principal|x-goog-authenticated-user|x-amzn-(?:mtls|oidc)-|cf-ipcountry|x-real-|x-remote-|x-webauth-|(?:x-)?ssl-client-|x-client-(?:cert|dn)|x-arr-|x-waws-|x-akamai-edgescape|cloudfront-viewer-|tailscale-)/;

/** Suffixes of headers that carry a client's address or override the request's method, path or host. */
const DROPPED_SUFFIXES =
  /(?:^|-)(?:client|connecting|socket|user|source|peer|caller|remote)-?(?:connection-)?(?:ip|ipv4|ipv6|addr|address)$|(?:^|-)(?:forwarded-for|pseudo-ipv4|destinationurl)$|(?:method|url|uri|path|host)-?override$|override-?(?:method|url|uri|path|host)$/;

/** Gateways and CGI read `_` and `.` as `-`. */
function isDropped(name: string): boolean {
  const spelled = name.replace(/[_.]/g, '-');
  return DROPPED.has(spelled) || DROPPED_PREFIXES.test(spelled) || DROPPED_SUFFIXES.test(spelled);
}

/** The only headers kept on a redirect to another origin: none of them can hold a credential. */
const CARRIED = wordSet('accept accept-encoding accept-language cache-control pragma user-agent');

/** Returns the headers to send. Throws for a malformed name or value, which is the caller's fault. */
export function cleanRequestHeaders(headers: HeaderList): HeaderPair[] {
  const nominated = connectionNames(headers);
  const clean: HeaderPair[] = [];
  for (const [rawName, value] of headers) {
    const name = rawName.toLowerCase();
    if (!NAME.test(name)) throw badHeader(rawName, 'its name is not a token');
    if (BAD_VALUE.test(value))
      throw badHeader(rawName, 'its value contains a control or non-Latin-1 character');
    if (!isDropped(name) && !nominated.has(name)) clean.push([name, value]);
  }
  return clean;
}

/** RFC 9110 §7.6.1: fields that `Connection` names apply to that hop only. */
export function connectionNames(headers: HeaderList): ReadonlySet<string> {
  let names: Set<string> | undefined;
  for (const [name, value] of headers) {
    const lower = name.toLowerCase();
    if (lower !== 'connection' && lower !== 'proxy-connection') continue;
    names ??= new Set();
    for (const item of value.split(',')) names.add(item.trim().toLowerCase());
  }
  return names ?? NONE;
}

const NONE: ReadonlySet<string> = new Set();

export function carriedAcrossOrigins(headers: HeaderList): HeaderList {
  return headers.filter(([name]) => CARRIED.has(name));
}

export function withoutContentHeaders(headers: HeaderList): HeaderList {
  return headers.filter(([name]) => !name.startsWith('content-'));
}

export function headerValues(headers: HeaderList, name: string): string[] {
  const values: string[] = [];
  for (const pair of headers) if (pair[0] === name) values.push(pair[1]);
  return values;
}

function badHeader(name: string, why: string): SondeError {
  return new SondeError('INVALID_REQUEST', `header ${JSON.stringify(name)} cannot be sent: ${why}`, {
    details: { header: name },
  });
}
