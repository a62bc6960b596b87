/** The outbound HTTP client: an engine's guarded egress plus redirects. */
import type { Egress } from './egress.js';
import { followRedirects, type OutboundRequest, type OutboundResult } from './follow-redirects.js';
import type { PolicyOptions } from './policy.js';

export interface OutboundClient {
  readonly egress: Egress;
  /** Sends one request and follows its redirects. A failing target is a result, never an exception. */
  fetch(request: OutboundRequest): Promise<OutboundResult>;
  close(): Promise<void>;
}

/** Options of the outbound client on every engine. */
export type OutboundPolicy = Pick<PolicyOptions, 'allowPrivate' | 'openOrigins' | 'connectTo' | 'ownPorts'>;

export const USER_AGENT_DEFAULT = 'SondeBot/1.0';

export function outboundOver(egress: Egress): OutboundClient {
  return { egress, fetch: (request) => followRedirects(egress, request), close: () => egress.close() };
}
