/** Converts settings to the options of a probe client. */
import type { Settings } from '../../config/settings.js';
import type { OutboundOptions } from './net.js';
import type { ProbeClientOptions } from './probe.js';

/** Probes are limited by tenant, so that the pool of an origin never runs out: 164 at once, with up to 4 requests each. */
const CONNECTIONS_PER_ORIGIN = 700;

export function probeOptions(
  net: OutboundOptions,
  { probeMs, redirectsMax }: Pick<Settings['compare'], 'probeMs' | 'redirectsMax'>,
): ProbeClientOptions {
  return { connectionsPerOrigin: CONNECTIONS_PER_ORIGIN, ...net, totalMs: probeMs, redirectsMax };
}
