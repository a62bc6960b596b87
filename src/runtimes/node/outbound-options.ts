/** The options of the egress layer from the `net` settings: the same, with the text of the CA file. */
import type { Settings } from '../../config/settings.js';
import { createFiles } from './files.js';
import type { OutboundOptions } from './net.js';

const CA_BYTES_MAX = 4 * 1024 * 1024;

export async function outboundOptions({ ca, ...net }: Settings['net']): Promise<OutboundOptions> {
  if (ca === undefined) return net;
  return { ...net, ca: await createFiles().readText(ca, { bytesMax: CA_BYTES_MAX }) };
}
