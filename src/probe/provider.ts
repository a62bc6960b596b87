/**
 * The port behind which every way of looking at a side stands. A provider returns in every case: a URL that
 * is refused, a side that is down and a fault of its own are all envelopes, never a throw.
 */
import type { HeaderList } from '../net/index.js';
import type { CfContext, ProbeProfile, SignalEnvelope } from './signal-envelope.js';

/** Where the runner stands, and how this probe is to be done. */
export interface ProbeContext extends CfContext {
  /** `core` by default: the six header families, no body, no further requests. */
  readonly profile?: ProbeProfile;
  /** `GET` by default. Another method is sent once: no further requests are made for it. */
  readonly method?: string;
  readonly body?: Uint8Array;
  /** Sent to this side only, and to no other origin. Their values are hidden wherever they come back. */
  readonly headers?: HeaderList;
  /** Whether a `full` probe asks its further questions; once a side is enough. */
  readonly exchanges?: boolean;
  /** The page whose requests the CORS exchanges stand for; the side's own origin without it. */
  readonly corsOrigin?: string;
  readonly signal?: AbortSignal;
}

export interface ISignalProvider {
  probe(url: string, context?: ProbeContext): Promise<SignalEnvelope>;
}

/** All six fields that a platform may report about its runner; `undefined` if it reports none. */
export function cfOf(context: ProbeContext): CfContext | undefined {
  const { colo, country, asn, asOrganization, tlsVersion, httpProtocol } = context;
  const cf: CfContext = {
    ...(colo !== undefined && { colo }),
    ...(country !== undefined && { country }),
    ...(asn !== undefined && { asn }),
    ...(asOrganization !== undefined && { asOrganization }),
    ...(tlsVersion !== undefined && { tlsVersion }),
    ...(httpProtocol !== undefined && { httpProtocol }),
  };
  return Object.keys(cf).length > 0 ? cf : undefined;
}
