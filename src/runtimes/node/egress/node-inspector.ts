/**
 * The probe's inspector on Node: DNS records through c-ares, and one handshake on a separate socket. Both judge the
 * resolved addresses before they report or dial any. The handshake accepts every certificate, because its purpose is to
 * inspect bad ones too. Its socket is never used for a request.
 */
import { connect as connectTls, type DetailedPeerCertificate, type TLSSocket } from 'node:tls';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { SondeError } from '../../../errors.js';
import { type Policy, parseAddress, type Resolver, refusalError, type Target } from '../../../net/index.js';
import type { CertificateFacts, DnsFacts, Inspector, TlsExchange } from '../../../probe/index.js';
import { queryDns } from './cares-resolver.js';
import { toNetError } from './net-errors.js';
import { dialTcp, peerCertificate, waitUntilOpen } from './socket-dialer.js';
import { trustedContext } from './trusted-context.js';

export interface NodeInspectorOptions {
  readonly policy: Policy;
  readonly resolver: Resolver;
  readonly servers?: readonly string[] | undefined;
  readonly ca?: string | undefined;
}

const CHAIN_MAX = 10;

export function createNodeInspector(options: NodeInspectorOptions): Inspector {
  return {
    dnsRecords: (target, signal) => dnsRecords(options, target, signal),
    handshake: (target, signal) => handshake(options, target, signal),
  };
}

async function dnsRecords(
  { policy, servers }: NodeInspectorOptions,
  { host, ...rest }: Target,
  signal: AbortSignal,
): Promise<Omit<DnsFacts, 'error'>> {
  const [a, aaaa, cname, caa] = await queryDns({ servers }, signal, (channel) =>
    Promise.all([
      records(channel.resolve4(host)),
      records(channel.resolve6(host)),
      records(channel.resolveCname(host)),
      records(channel.resolveCaa(host)),
    ]),
  );
  // Never reveal the addresses of a blocked name.
  const refusal = policy.judgeResponse({ host, ...rest }, [...(a ?? []), ...(aaaa ?? [])]);
  if (refusal) throw refusalError(refusal);
  if (!a && !aaaa) throw new SondeError('dns_error', `the records of ${host} could not be read`);
  const caaTexts = caa?.map(({ critical, ...tag }) => `${critical} ${Object.entries(tag).flat().join(' ')}`);
  return {
    ...(a && { a: a.sort() }),
    ...(aaaa && { aaaa: aaaa.sort() }),
    ...(cname && { cname: cname.sort() }),
    ...(caaTexts && { caa: caaTexts.sort() }),
  };
}

/** A missing record is an empty list; after any other error the records are unknown. */
async function records<T>(response: Promise<T[]>): Promise<T[] | undefined> {
  try {
    return await response;
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? thrown.code : '';
    return code === 'ENODATA' || code === 'ENOTFOUND' ? [] : undefined;
  }
}

async function handshake(
  { policy, resolver, ca }: NodeInspectorOptions,
  target: Target,
  signal: AbortSignal,
): Promise<Omit<TlsExchange, 'error'>> {
  const addresses = target.fixed ? [target.fixed.address] : await resolver.resolve(target, signal);
  const refusal = policy.judgeResponse(target, addresses);
  if (refusal) throw refusalError(refusal);
  const port = target.fixed?.port ?? target.port;
  const judgePeer = (address: string): void => {
    const refused = policy.judgePeer(target, address);
    if (refused) throw refusalError(refused);
  };
  const tcp = await dialTcp({ target, addresses, port, judgePeer }, signal);
  const socket = connectTls({
    socket: tcp,
    ALPNProtocols: ['h2', 'http/1.1'],
    rejectUnauthorized: false,
    ...(parseAddress(target.host) ? { host: target.host } : { servername: target.host }),
    ...(ca !== undefined && { secureContext: trustedContext(ca) }),
  });
  try {
    return factsOf(await waitUntilOpen(socket, 'tls', signal));
  } catch (thrown) {
    throw toNetError(thrown, 'tls');
  } finally {
    socket.destroy();
    tcp.destroy();
  }
}

function factsOf(socket: TLSSocket): Omit<TlsExchange, 'error'> {
  const version = socket.getProtocol();
  const { standardName } = socket.getCipher();
  const reason: unknown = socket.authorizationError;
  // Node 20 returns an empty chain once the leaf has been read, so the chain comes first.
  const chain = chainOf(socket.getPeerCertificate(true));
  const certificate = certificateOf(socket);
  return {
    ...(socket.alpnProtocol && { alpn: socket.alpnProtocol }),
    ...(version && { version }),
    ...(standardName && { cipher: standardName }),
    authorized: socket.authorized,
    ...(!socket.authorized && { authorizationError: reasonText(reason) }),
    ...(certificate && { certificate }),
    chain,
  };
}

/** Typed as an Error, but a plain code on every supported version of Node; only for a wrong name is it an Error. */
function reasonText(reason: unknown): string {
  if (typeof reason === 'string') return reason;
  return reason instanceof Error && 'code' in reason ? String(reason.code) : String(reason);
}

function certificateOf(socket: TLSSocket): CertificateFacts | undefined {
  const peer = socket.getPeerX509Certificate();
  if (!peer) return undefined;
  const { asymmetricKeyType, asymmetricKeyDetails } = peer.publicKey;
  const spki = peer.publicKey.export({ type: 'spki', format: 'der' });
  const { modulusLength, namedCurve } = asymmetricKeyDetails ?? {};
  return {
    ...peerCertificate(peer),
    ...(asymmetricKeyType && {
      keyType: namedCurve ? `${asymmetricKeyType} ${namedCurve}` : asymmetricKeyType,
    }),
    ...(modulusLength !== undefined && { keyBits: modulusLength }),
    spkiSha256: bytesToHex(sha256(spki)),
  };
}

/** From the leaf upwards, until a root, which is its own issuer. */
function chainOf(leaf: DetailedPeerCertificate): { subject: string; issuer: string }[] {
  const chain: { subject: string; issuer: string }[] = [];
  let at: DetailedPeerCertificate | undefined = leaf;
  while (at?.subject && chain.length < CHAIN_MAX) {
    chain.push({ subject: nameOf(at.subject), issuer: nameOf(at.issuer) });
    const above: DetailedPeerCertificate | undefined = at.issuerCertificate;
    at = above === at ? undefined : above;
  }
  return chain;
}

function nameOf(name: object): string {
  return Object.entries(name)
    .map(([key, value]) => `${key}=${[value].flat().join('+')}`)
    .join(', ');
}
