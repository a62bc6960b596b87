/** Converts the `net` settings to options of the egress layer; the CA file is replaced by its text. */
import type { Settings } from '../../config/settings.js';
import { createFiles } from './files.js';
import type { OutboundOptions } from './net.js';

const CA_BYTES_MAX = 4 * 1024 * 1024;

export async function outboundOptions({ net }: Pick<Settings, 'net'>): Promise<OutboundOptions> {
  return {
    allowPrivate: net.allowPrivate,
    connectTo: net.connectTo,
    dnsServers: net.dnsServers,
    userAgent: net.userAgent,
    ...(net.ca !== undefined && { ca: await createFiles().readText(net.ca, { bytesMax: CA_BYTES_MAX }) }),
  };
}
