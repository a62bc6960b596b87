/**
 * Finds which protocol a server selects when h2 is offered, by one TLS handshake. Returns null if the handshake fails,
 * is refused, or shows a certificate that is not trusted; the fetches report why.
 */
import type { AlpnProbe } from '../../../audits/index.js';
import type { Policy } from '../../../net/index.js';
import type { Inspector } from '../../../probe/index.js';

const HANDSHAKE_MS = 10_000;

export function createAlpnProbe(policy: Policy, inspector: Inspector): AlpnProbe {
  return {
    async negotiated(origin, signal) {
      const verdict = policy.judgeUrl(`${origin}/`);
      if (!verdict.ok || !verdict.target.secure) return null;
      try {
        const deadline = AbortSignal.any([signal, AbortSignal.timeout(HANDSHAKE_MS)]);
        const { authorized, alpn } = await inspector.handshake(verdict.target, deadline);
        return (authorized && alpn) || null;
      } catch {
        return null;
      }
    },
  };
}
