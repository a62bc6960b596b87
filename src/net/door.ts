/** A guarded door, ready to use: an engine's egress with the redirects followed. */
import type { Egress } from './egress.js';
import { type DoorRequest, type DoorResult, followRedirects } from './follow-redirects.js';
import type { PolicyOptions } from './policy.js';

export interface Door {
  readonly egress: Egress;
  /** One request with its redirects. A failing target is a result, never a throw. */
  fetch(request: DoorRequest): Promise<DoorResult>;
  close(): Promise<void>;
}

/** What every engine's door can be told. */
export type DoorPolicy = Pick<PolicyOptions, 'allowPrivate' | 'connectTo' | 'ownPorts'>;

export const USER_AGENT_DEFAULT = 'SondeBot/1.0';

export function doorOver(egress: Egress): Door {
  return { egress, fetch: (request) => followRedirects(egress, request), close: () => egress.close() };
}
