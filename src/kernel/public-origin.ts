/**
 * The server's public address for a request (its own origins and the base of absolute URLs), and the client's address.
 * The base is `--public-url` or else comes from `Host`. `X-Forwarded-*` is only used if it comes from a trusted peer,
 * and then only its last entry, which that peer wrote itself.
 */
import { SondeError } from '../errors.js';
import { trimEnd } from '../trim-end.js';
import { tryUrl } from '../try-url.js';
import type { Arrived } from './arrived.js';

export interface PublicOrigin {
  /** Prefix of absolute URLs, without a trailing slash. */
  readonly base: string;
  readonly ownOrigins: readonly string[];
  readonly secure: boolean;
}

export interface OriginSettings {
  readonly publicUrl?: string;
  /** Whether `X-Forwarded-*` from this address is trusted. */
  readonly trustedPeer: (address: string) => boolean;
}

const HOST = /^(?:[a-z0-9._-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;
const FORWARDED_MAX = 32;

/** The parts of a request that identify the caller and the target. */
interface ForwardedRequest {
  readonly url: string;
  readonly peerAddress?: string | undefined;
  header(name: string): string | undefined;
}

export function readPublicOrigin(request: ForwardedRequest, settings: OriginSettings): PublicOrigin {
  const peer = request.peerAddress;
  const trusted = peer !== undefined && settings.trustedPeer(peer);
  const origin = requestOrigin(request, trusted);
  const base = settings.publicUrl === undefined ? origin : trimEnd(settings.publicUrl, '/');
  return {
    base,
    ownOrigins: [...new Set([origin, new URL(base).origin])],
    secure: base.startsWith('https:') || origin.startsWith('https:'),
  };
}

/** The client behind our own proxies; `unknown` if the host does not provide an address. */
export function clientAddressOf(
  { peerAddress, header }: Omit<ForwardedRequest, 'url'>,
  settings: OriginSettings,
): string {
  if (peerAddress === undefined || !settings.trustedPeer(peerAddress)) return peerAddress ?? 'unknown';
  return clientBehind(peerAddress, header('x-forwarded-for'), settings);
}

export const ORIGINS_KEPT = 100;
export const TARGET_INVALID = 'The request target or the Host header is not valid.';
/** Other names are read differently by different parsers: `a@b`, or an escape. */
const PLAIN_HOST = /^[a-z0-9.:[\]_-]+$/i;

/** Without a trusted proxy, the public origin depends only on the host that was asked for, so it is cached by host. */
export function createPublicOrigins(settings: OriginSettings): (arrived: Arrived) => PublicOrigin {
  const known = new Map<string, PublicOrigin>();
  return (arrived) => {
    const { scheme, authority, peerAddress } = arrived;
    const trusted = peerAddress !== undefined && settings.trustedPeer(peerAddress);
    const url = `${scheme}://${authority}/`;
    const cached = trusted ? undefined : known.get(url);
    if (cached) return cached;
    if (!PLAIN_HOST.test(authority) || !tryUrl(url)) throw new SondeError('INVALID_REQUEST', TARGET_INVALID);
    const header = (name: string) => arrived.header(name) ?? undefined;
    const origin = readPublicOrigin({ url, peerAddress, header }, settings);
    if (!trusted && known.size < ORIGINS_KEPT) known.set(url, origin);
    return origin;
  };
}

function requestOrigin(request: ForwardedRequest, trusted: boolean): string {
  const url = new URL(request.url);
  if (!trusted) return url.origin;
  const proto = lastOf(request.header('x-forwarded-proto'))?.toLowerCase();
  const host = lastOf(request.header('x-forwarded-host'));
  const scheme = proto === 'http' || proto === 'https' ? proto : url.protocol.slice(0, -1);
  const candidate = `${scheme}://${host !== undefined && HOST.test(host) ? host : url.host}`;
  return tryUrl(candidate)?.origin ?? url.origin;
}

/** Walks the chain from the nearest proxy outwards and returns the first address that is not one of our proxies. */
function clientBehind(peer: string, forwardedFor: string | undefined, settings: OriginSettings): string {
  const chain = (forwardedFor ?? '').split(',').slice(-FORWARDED_MAX).reverse();
  let nearest = peer;
  for (const entry of chain) {
    const address = withoutPort(entry.trim());
    if (!/^[0-9a-f.:]{2,45}$/i.test(address)) return nearest;
    nearest = address;
    if (!settings.trustedPeer(address)) return nearest;
  }
  return nearest;
}

/** Some load balancers append the client's port, which changes with every connection. */
function withoutPort(entry: string): string {
  const [, bracketed, dotted] =
    /^(?:\[([^\]]*)\](?::\d{1,5})?|(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5})$/.exec(entry) ?? [];
  return bracketed ?? dotted ?? entry;
}

function lastOf(header: string | undefined): string | undefined {
  return header?.split(',').at(-1)?.trim();
}
