/**
 * TCP, then TLS, by hand rather than by undici's connector: the peer is judged between the two, each phase is
 * timed and fails under its own name, and every handshake is a full one, so that the certificate reported is
 * the one this connection was given.
 */
import { connect as connectTcp, isIPv6, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { type PeerCertificate, parseAddress, type Target } from '../../../net/index.js';
import type { Dialer, DialRequest, TlsFacts } from './dialer.js';
import { toNetError } from './net-errors.js';
import { trustedContext } from './trusted-context.js';

/** How long one address may take before the next one is tried beside it (RFC 8305). */
const ATTEMPT_MS = 250;

export interface SocketDialerOptions {
  /** PEM certificates trusted besides the built-in roots. */
  readonly ca?: string;
}

export function createSocketDialer(options: SocketDialerOptions = {}): Dialer {
  const { ca } = options;
  return {
    async dial(request, signal) {
      const startedAt = performance.now();
      const tcp = await dialTcp(request, signal);
      const facts = { address: tcp.remoteAddress ?? '', connectMs: performance.now() - startedAt };
      if (!request.target.secure) return { socket: tcp, ...facts };
      const tlsStartedAt = performance.now();
      const tls = await opened(openTls(tcp, request.target, ca), 'tls', signal);
      return { socket: tls, ...facts, tls: tlsFacts(tls, performance.now() - tlsStartedAt) };
    },
  };
}

/** A socket to a judged address whose peer has been judged again; nothing was sent on it yet. */
export async function dialTcp(request: DialRequest, signal: AbortSignal): Promise<Socket> {
  const tcp = await opened(openTcp(request), 'connect', signal);
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
    // RFC 6066 §3: a literal address is no server name; it is still checked against the certificate.
    ...(parseAddress(target.host) ? { host: target.host } : { servername: target.host }),
    ...(ca !== undefined && { secureContext: trustedContext(ca) }),
  });
}

/** Waits for the phase's own event; an abort, an error or an early close destroys the socket and rejects. */
export function opened<S extends Socket>(
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
  const certificate = certificateFacts(socket);
  return {
    ms,
    ...(socket.alpnProtocol && { alpn: socket.alpnProtocol }),
    ...(version && { version }),
    ...(certificate && { certificate }),
  };
}

function certificateFacts(socket: TLSSocket): PeerCertificate | undefined {
  const peer = socket.getPeerX509Certificate();
  return (
    peer && {
      subject: peer.subject,
      issuer: peer.issuer,
      altNames: (peer.subjectAltName ?? '').split(', ').filter((name) => name !== ''),
      validFrom: new Date(peer.validFrom).toISOString(),
      validTo: new Date(peer.validTo).toISOString(),
      serialNumber: peer.serialNumber,
      sha256: peer.fingerprint256.replaceAll(':', '').toLowerCase(),
    }
  );
}
