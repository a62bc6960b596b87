/**
 * Connects TCP and then TLS without undici's connector. So the peer is judged between the two, each phase has its own
 * timing and errors, and every handshake is a full one, so that the reported certificate is that of this connection.
 */
import type { X509Certificate } from 'node:crypto';
import { connect as connectTcp, isIPv6, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { type PeerCertificate, parseAddress, type Target } from '../../../net/index.js';
import type { Dialer, DialRequest, TlsFacts } from './dialer.js';
import { toNetError } from './net-errors.js';
import { trustedContext } from './trusted-context.js';

/** How long to wait for one address before the next one is tried in parallel (RFC 8305). */
const ATTEMPT_MS = 250;

export interface SocketDialerOptions {
  /** PEM certificates to trust in addition to the built-in roots. */
  readonly ca?: string | undefined;
}

export function createSocketDialer({ ca }: SocketDialerOptions = {}): Dialer {
  return {
    async dial(request, signal) {
      const startedAt = performance.now();
      const tcp = await dialTcp(request, signal);
      const facts = { address: tcp.remoteAddress ?? '', connectMs: performance.now() - startedAt };
      if (!request.target.secure) return { socket: tcp, ...facts };
      const tlsStartedAt = performance.now();
      const tls = await waitUntilOpen(openTls(tcp, request.target, ca), 'tls', signal);
      return { socket: tls, ...facts, tls: tlsFacts(tls, performance.now() - tlsStartedAt) };
    },
  };
}

/** Connects to a judged address and judges the actual peer. Nothing has been sent on the returned socket. */
export async function dialTcp(request: DialRequest, signal: AbortSignal): Promise<Socket> {
  const tcp = await waitUntilOpen(openTcp(request), 'connect', signal);
  try {
    request.judgePeer(tcp.remoteAddress ?? '');
    return tcp;
  } catch (refused) {
    tcp.destroy();
    throw refused;
  }
}

function openTcp({ addresses, port, target }: DialRequest): Socket {
  const [first = ''] = addresses;
  if (addresses.length === 1) return connectTcp({ host: first, port, noDelay: true });
  const judged = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  const lookup: LookupFunction = (_host, _options, done) => done(null, judged);
  return connectTcp({
    host: target.host,
    port,
    lookup,
    noDelay: true,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ATTEMPT_MS,
  });
}

function openTls(socket: Socket, target: Target, ca: string | undefined): TLSSocket {
  return connectTls({
    socket,
    ALPNProtocols: ['http/1.1'],
    // RFC 6066 §3: a literal address is not a server name. It is still checked against the certificate.
    ...(parseAddress(target.host) ? { host: target.host } : { servername: target.host }),
    ...(ca !== undefined && { secureContext: trustedContext(ca) }),
  });
}

/** Waits for the event of the phase. An abort, an error or an early close destroys the socket and rejects. */
export function waitUntilOpen<S extends Socket>(
  socket: S,
  phase: 'connect' | 'tls',
  signal: AbortSignal,
): Promise<S> {
  const event = phase === 'tls' ? 'secureConnect' : 'connect';
  return new Promise((resolve, reject) => {
    const settle = () => {
      socket.off(event, succeed).off('error', fail).off('close', close);
      signal.removeEventListener('abort', abort);
    };
    const succeed = () => {
      settle();
      resolve(socket);
    };
    const fail = (error: unknown) => {
      settle();
      socket.on('error', ignore);
      socket.destroy();
      reject(toNetError(error, phase));
    };
    const close = () => fail(new Error('closed'));
    const abort = () => fail(signal.reason);
    socket.on(event, succeed).on('error', fail).on('close', close);
    signal.addEventListener('abort', abort);
    if (signal.aborted) abort();
  });
}

function ignore(): void {}

function tlsFacts(socket: TLSSocket, ms: number): TlsFacts {
  const version = socket.getProtocol();
  const peer = socket.getPeerX509Certificate();
  return {
    ms,
    ...(socket.alpnProtocol && { alpn: socket.alpnProtocol }),
    ...(version && { version }),
    ...(peer && { certificate: peerCertificate(peer) }),
  };
}

export function peerCertificate(peer: X509Certificate): PeerCertificate {
  return {
    subject: peer.subject,
    issuer: peer.issuer,
    altNames: (peer.subjectAltName ?? '').split(', ').filter((name) => name !== ''),
    validFrom: new Date(peer.validFrom).toISOString(),
    validTo: new Date(peer.validTo).toISOString(),
    serialNumber: peer.serialNumber,
    sha256: peer.fingerprint256.replaceAll(':', '').toLowerCase(),
  };
}
