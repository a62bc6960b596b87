/** A guarded egress layer, ready to use: an engine's egress with the redirects followed. */
import type { Egress } from './egress.js';
import { followRedirects, type OutboundRequest, type OutboundResult } from './follow-redirects.js';
import type { PolicyOptions } from './policy.js';

export interface OutboundClient {
  readonly egress: Egress;
  /** One request with its redirects. A failing target is a result, never a throw. */
  fetch(request: OutboundRequest): Promise<OutboundResult>;
  close(): Promise<void>;
}

/** Options of the outbound client on every engine. */
export type OutboundPolicy = Pick<PolicyOptions, 'allowPrivate' | 'openOrigins' | 'connectTo' | 'ownPorts'>;

export const USER_AGENT_DEFAULT = 'SondeBot/1.0';

export function outboundOver(egress: Egress): OutboundClient {
  return { egress, fetch: (request) => followRedirects(egress, request), close: () => egress.close() };
}
