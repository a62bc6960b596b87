/**
 * The proxy's two outbound clients. Only the second may reach private origins, and it is used only for requests that
 * matched a `private:` pattern.
 */
import type { OutboundClient, OutboundPolicy } from '../net/index.js';
import type { UpstreamClient } from './proxy-deps.js';

export function openUpstreamClients<Net extends OutboundPolicy>(
  net: Net,
  openOutbound: (net: Net) => OutboundClient,
  privateOrigins: readonly string[],
): { outbound: UpstreamClient; close(): Promise<void> } {
  const closed = openOutbound(net);
  const opened = openOutbound({ ...net, allowPrivate: [...(net.allowPrivate ?? []), ...privateOrigins] });
  return {
    outbound: { fetch: (request, lifted) => (lifted ? opened : closed).fetch(request) },
    close: async () => void (await Promise.all([closed.close(), opened.close()])),
  };
}
