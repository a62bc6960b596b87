/** Converts settings to the options of a probe client. */
import type { Settings } from '../../config/settings.js';
import type { OutboundOptions } from './net.js';
import type { ProbeClientOptions } from './probe.js';

export function probeOptions(net: OutboundOptions = {}, compare?: Settings['compare']): ProbeClientOptions {
  return { ...net, ...(compare && { totalMs: compare.probeMs, redirectsMax: compare.redirectsMax }) };
}
