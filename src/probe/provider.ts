/**
 * The port that every kind of probe implements. A provider always returns an envelope and never throws, even for a
 * refused URL, a side that is down or an internal error.
 */
import type { HeaderList } from '../net/index.js';
import { CF_FIELDS, type CfContext, type ProbeProfile, type SignalEnvelope } from './signal-envelope.js';

/** The location of the runner, and the options of this probe. */
export interface ProbeContext extends CfContext {
  /** `core` by default: the six header families, no body, no additional requests. */
  readonly profile?: ProbeProfile;
  /** `GET` by default. With another method no additional requests are sent. */
  readonly method?: string;
  readonly body?: Uint8Array;
  /** Sent only to this side, and to no other origin. Their values are hidden wherever they are echoed. */
  readonly headers?: HeaderList;
  /** Whether a `full` probe runs the additional exchanges; once per side is enough. */
  readonly exchanges?: boolean;
  /** The origin that the CORS exchanges use; by default the side's own. */
  readonly corsOrigin?: string;
  /** Fewer redirects than the provider follows by default. */
  readonly redirectsMax?: number;
  readonly signal?: AbortSignal;
}

export interface ISignalProvider {
  probe(url: string, context?: ProbeContext): Promise<SignalEnvelope>;
}

/** One request that only takes a turn of a load balancer; its response does not matter. */
export const SPACING_REQUEST = { method: 'HEAD', profile: 'core', redirectsMax: 0 } as const;

/** The fields that a platform reports about its runner; `undefined` if it reports none. */
export function cfOf(context: ProbeContext): CfContext | undefined {
  const known = CF_FIELDS.filter((field) => context[field] !== undefined);
  return known.length === 0 ? undefined : Object.fromEntries(known.map((field) => [field, context[field]]));
}
