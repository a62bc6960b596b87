/**
 * The one object that decides what a request may reach. It checks, in this order: the text of a URL, the parsed host
 * and port, an address literal, every address of a DNS answer, and finally the actual peer of the socket. A `Target`
 * exists only for a URL that passed, and egress accepts nothing else, so no request is sent unchecked.
 *
 * Private ranges can be opened one origin at a time, for a first request and for redirects within that origin. A
 * redirect from another origin is judged by the closed policy. Link-local, metadata, unspecified and multicast
 * addresses are never opened.
 */
import { SondeError } from '../errors.js';
import { parseAddress } from './address.js';
import { hasAmbiguousHost } from './ambiguous-host.js';
import { classifyAddress } from './classify-address.js';
import { type HostNameFault, judgeHostName } from './host-name.js';
import { parseUrl } from './parse-url.js';
import { isBadPort } from './ports.js';
import type { Refusal, RefusalStep } from './refusal.js';

export interface PolicyOptions {
  /**
   * Origins (`http://127.0.0.1:8080`) for which loopback, RFC 1918, CGNAT and ULA addresses are opened. A loopback
   * origin may use `*` as its port, which means every port except `ownPorts`.
   */
  readonly allowPrivate?: readonly string[];
  /** Origins that are open at the moment; called each time a URL is judged. */
  readonly openOrigins?: () => readonly string[];
  /** Ports that this server listens on; a wildcard never opens them. */
  readonly ownPorts?: () => readonly number[];
  /** `name` or `name:port` → `address:port`, dialled instead of resolving the name and checked like any address. */
  readonly connectTo?: Readonly<Record<string, string>>;
  /** This machine's own addresses, which may reach services that trust it; called for each judgement. */
  readonly ownAddresses?: () => readonly string[];
  /** Called with every refusal. */
  readonly onRefused?: (refusal: Refusal) => void;
}

/** A URL that passed the policy, with everything needed to dial it. */
export interface Target {
  readonly url: URL;
  /** Lower case, no brackets, no trailing dot. */
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  /** The endpoint to dial without DNS: a literal host or a `connectTo` entry. */
  readonly fixed?: Endpoint;
  /** Private ranges are open for this target. */
  readonly lifted: boolean;
  /** Whether an `allowPrivate` entry could open them; false for a redirect from another origin. */
  readonly liftable?: boolean;
}

export interface Endpoint {
  readonly address: string;
  readonly port: number;
}

export type UrlVerdict =
  | { readonly ok: true; readonly target: Target }
  | { readonly ok: false; readonly refusal: Refusal };

export interface Policy {
  /** `from` is the URL that redirected here, and the base for parsing `text`; it is absent for the first hop. */
  judgeUrl(text: string, from?: URL): UrlVerdict;
  /** Judges the addresses of a DNS answer. One refused address refuses the whole answer. */
  judgeResponse(target: Target, addresses: readonly string[]): Refusal | undefined;
  judgePeer(target: Target, address: string): Refusal | undefined;
}

/** Every address of an answer is judged, and a DNS answer over TCP can hold thousands. */
export const ANSWER_ADDRESSES_MAX = 64;

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

export function createPolicy(options: PolicyOptions = {}): Policy {
  const { anyPort, origins } = readPrivate(options.allowPrivate ?? []);
  const ownPorts = options.ownPorts ?? (() => []);
  const openOrigins = options.openOrigins ?? (() => []);
  const isLifted = (url: URL, port: number) =>
    origins.has(url.origin) ||
    openOrigins().includes(url.origin) ||
    (anyPort.has(`${url.protocol}//${url.hostname}`) && !ownPorts().includes(port));
  const connectTo = readConnectTo(options.connectTo ?? {});
  const ownAddresses = options.ownAddresses ?? (() => []);

  const describe = (url: URL, from: URL | undefined): Target => {
    const host = hostOf(url);
    const port = url.port === '' ? (DEFAULT_PORTS[url.protocol] ?? 0) : Number(url.port);
    const liftable = from === undefined || from.origin === url.origin;
    const lifted = liftable && isLifted(url, port);
    const mapped = connectTo.get(`${host}:${port}`) ?? connectTo.get(host);
    const fixed = mapped ?? (parseAddress(host) && { address: host, port });
    return { url, host, port, secure: url.protocol === 'https:', lifted, liftable, ...(fixed && { fixed }) };
  };

  const judgeAddress = (target: Target, address: string, step: RefusalStep): Refusal | undefined => {
    const refused = classifyAddress(address);
    if (refused && !(refused.liftable && target.lifted)) {
      const refusal = blocked(step, refused.rule, `${address} is refused: ${refused.name}`);
      return refused.liftable ? withAllowHint(refusal, target) : refusal;
    }
    if (!target.lifted && ownAddresses().includes(address)) {
      const refusal = blocked(step, 'own_address', `${address} is refused: an address of this machine`);
      return withAllowHint(refusal, target);
    }
    return undefined;
  };

  const judgeFixed = (target: Target): Refusal | undefined =>
    target.fixed && (judgePort(target.fixed.port) ?? judgeAddress(target, target.fixed.address, 'address'));

  const policy: Policy = {
    judgeUrl(text, from) {
      const parsed = parseUrl(text, from);
      if (!parsed.ok) return parsed;
      if (hasAmbiguousHost(text)) return { ok: false, refusal: AMBIGUOUS };
      const target = describe(parsed.url, from);
      const refusal = judgeHost(target) ?? judgePort(target.port) ?? judgeFixed(target);
      return refusal ? { ok: false, refusal } : { ok: true, target };
    },
    judgeResponse(target, addresses) {
      if (addresses.length > ANSWER_ADDRESSES_MAX) {
        const message = `${target.host} has more than ${ANSWER_ADDRESSES_MAX} addresses`;
        return blocked('dns', 'too_many_addresses', message);
      }
      for (const address of addresses) {
        const refusal = judgeAddress(target, address, 'dns');
        if (refusal)
          return {
            ...refusal,
            message: `one of the addresses of ${target.host} is blocked: ${refusal.message}`,
          };
      }
      return undefined;
    },
    judgePeer: (target, address) => judgeAddress(target, address, 'peer'),
  };
  return options.onRefused ? observed(policy, options.onRefused) : policy;
}

/** Without the brackets of IPv6 and a trailing dot. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/[[\]]|\.$/g, '');
}

function observed(policy: Policy, onRefused: (refusal: Refusal) => void): Policy {
  const report = (refusal: Refusal | undefined) => {
    if (refusal) onRefused(refusal);
    return refusal;
  };
  return {
    judgeUrl(text, from) {
      const verdict = policy.judgeUrl(text, from);
      if (!verdict.ok) onRefused(verdict.refusal);
      return verdict;
    },
    judgeResponse: (target, addresses) => report(policy.judgeResponse(target, addresses)),
    judgePeer: (target, address) => report(policy.judgePeer(target, address)),
  };
}

const AMBIGUOUS: Refusal = {
  code: 'invalid_url',
  step: 'url',
  rule: 'ambiguous_host',
  message: 'parsers see different hosts in this URL; write it as scheme://host/path',
};

function judgeHost(target: Target): Refusal | undefined {
  if (parseAddress(target.host)) return undefined;
  const fault = judgeHostName(target.host);
  if (!fault || (fault === 'private_name' && target.lifted)) return undefined;
  const refusal = blocked('host', fault, `${target.host} is refused: ${HOST_FAULTS[fault]}`);
  return fault === 'private_name' ? withAllowHint(refusal, target) : refusal;
}

const HOST_FAULTS: Readonly<Record<HostNameFault, string>> = {
  host_grammar: 'not a valid host name',
  metadata_name: 'a cloud metadata service',
  private_name: 'a name that is never public',
};

function judgePort(port: number): Refusal | undefined {
  return isBadPort(port) ? blocked('port', 'bad_port', `port ${port} is refused`) : undefined;
}

function blocked(step: RefusalStep, rule: string, message: string): Refusal {
  return { code: 'ssrf_blocked', step, rule, message };
}

function withAllowHint(refusal: Refusal, { liftable, url }: Target): Refusal {
  return liftable ? { ...refusal, allow: url.origin } : refusal;
}

const ANY_PORT = /^(https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])):\*$/;

function readPrivate(texts: readonly string[]): { anyPort: Set<string>; origins: Set<string> } {
  const anyPort = new Set<string>();
  const origins = new Set<string>();
  for (const text of texts) {
    const host = ANY_PORT.exec(text)?.[1];
    if (host !== undefined) anyPort.add(host);
    else origins.add(readOrigin(text));
  }
  return { anyPort, origins };
}

/** Parses an `allowPrivate` entry. An entry that can never be opened is rejected here instead of silently ignored. */
function readOrigin(text: string): string {
  const parsed = parseUrl(text);
  const isOrigin = parsed.ok && `${parsed.url.origin}/` === parsed.url.href;
  if (!isOrigin) throw badOption('net.allowPrivate', text, 'an origin such as http://127.0.0.1:8080');
  const host = hostOf(parsed.url);
  const refused = parseAddress(host) && classifyAddress(host);
  if (refused && !refused.liftable) {
    throw badOption('net.allowPrivate', text, `no ${refused.name} address: that range is never opened`);
  }
  if (isBadPort(Number(parsed.url.port || DEFAULT_PORTS[parsed.url.protocol])))
    throw badOption('net.allowPrivate', text, `a different port: ${parsed.url.port} is always blocked`);
  return parsed.url.origin;
}

function readConnectTo(map: Readonly<Record<string, string>>): Map<string, Endpoint> {
  return new Map(
    Object.entries(map).map(([name, value]) => {
      const match = /^(?:\[([0-9a-f:.]+)\]|([0-9.]+)):(\d{1,5})$/i.exec(value);
      const address = match?.[1] ?? match?.[2] ?? '';
      const port = Number(match?.[3]);
      if (!parseAddress(address) || !(port <= 65_535)) {
        throw badOption(
          'net.connectTo',
          `${name}=${value}`,
          'name=address:port, such as app.example.com=10.0.0.5:8080',
        );
      }
      return [name.toLowerCase(), { address, port }];
    }),
  );
}

function badOption(key: string, value: string, allowed: string): SondeError {
  return new SondeError('CONFIG_INVALID_VALUE', `${key}: "${value}" is not allowed; expected ${allowed}`, {
    details: { key, allowed },
  });
}
