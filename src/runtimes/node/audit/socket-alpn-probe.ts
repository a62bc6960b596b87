/**
 * Finds which protocol a server selects when h2 is offered, by one TLS handshake. The same policy applies as to every
 * connection: every address is judged before connecting, and the peer after connecting. Returns null if the handshake
 * fails; the fetches report why.
 */
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { AlpnProbe } from '../../../audits/index.js';
import type { Policy, Resolver, Target } from '../../../net/index.js';
import { trustedContext } from '../egress/trusted-context.js';

const HANDSHAKE_MS = 10_000;

export interface AlpnProbeOptions {
  readonly policy: Policy;
  readonly resolver: Resolver;
  readonly ca?: string;
}

export function createAlpnProbe(options: AlpnProbeOptions): AlpnProbe {
  return {
    async negotiated(origin, signal) {
      const verdict = options.policy.judgeUrl(`${origin}/`);
      if (!verdict.ok || !verdict.target.secure) return null;
      try {
        const deadline = AbortSignal.any([signal, AbortSignal.timeout(HANDSHAKE_MS)]);
        return await handshake(verdict.target, options, deadline);
      } catch {
        return null;
      }
    },
  };
}

async function handshake(
  target: Target,
  options: AlpnProbeOptions,
  signal: AbortSignal,
): Promise<string | null> {
  const { policy, resolver, ca } = options;
  const addresses = target.fixed ? [target.fixed.address] : await resolver.resolve(target, signal);
  const [address] = addresses;
  if (address === undefined || policy.judgeResponse(target, addresses)) return null;
  const tcp = connectTcp({ host: address, port: target.fixed?.port ?? target.port });
  try {
    await waitFor(tcp, 'connect', signal);
    if (policy.judgePeer(target, tcp.remoteAddress ?? '')) return null;
    const tls = connectTls({
      socket: tcp,
      servername: target.host,
      ALPNProtocols: ['h2', 'http/1.1'],
      ...(ca !== undefined && { secureContext: trustedContext(ca) }),
    });
    tls.on('error', () => {});
    await waitFor(tls, 'secureConnect', signal);
    return tls.alpnProtocol || null;
  } finally {
    tcp.destroy();
  }
}

function waitFor(socket: Socket, event: 'connect' | 'secureConnect', signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    socket
      .once(event, () => resolve())
      .once('error', reject)
      .once('close', () => reject(new Error('closed')));
  });
}
