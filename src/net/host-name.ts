/**
 * Checks the grammar of host names and refuses well-known private names. The URL parser accepts empty labels, labels
 * over 63 octets, and shell or wildcard characters; resolvers differ on all of them, so they are refused here.
 * Refusing private names only gives a clearer error: the security decision is made on addresses.
 */
import { isALabel } from './punycode.js';
import { wordSet } from './word-set.js';

const NAME_MAX = 253;
const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;

/**
 * Suffixes that never name a public host: special use (RFC 6761, 6762, 7686, 8375, 9476), service discovery of
 * clusters (Kubernetes, Consul, Nomad, Docker), and zones that are common in private networks.
 */
const PRIVATE_SUFFIXES = wordSet(`
  alt arpa consul corp dmz docker example fritz.box home homenet internal internal.cloudapp.net intra
  intranet invalid kubernetes lan local localdomain localhost mail mesh nomad onion pod priv private svc
  test workgroup
`);

const METADATA_NAMES = wordSet(`
  api.metadata.cloud.ibm.com instance-data instance-data.ec2.internal metadata metadata.goog
  metadata.google.internal metadata.platformequinix.com metadata.hetzner.cloud metadata.packet.net
  metadata.tencentyun.com
`);

export type HostNameFault = 'host_grammar' | 'metadata_name' | 'private_name';

/** `name` is the parser's host in lower case, without a trailing dot. */
export function judgeHostName(name: string): HostNameFault | undefined {
  const labels = name.split('.');
  if (name.length > NAME_MAX || !labels.every(isLabel)) return 'host_grammar';
  if (METADATA_NAMES.has(name)) return 'metadata_name';
  if (labels.length === 1 || hasPrivateSuffix(labels)) return 'private_name';
  return undefined;
}

function isLabel(label: string): boolean {
  return LABEL.test(label) && (!label.startsWith('xn--') || isALabel(label));
}

function hasPrivateSuffix(labels: readonly string[]): boolean {
  return [1, 2, 3].some((count) => PRIVATE_SUFFIXES.has(labels.slice(-count).join('.')));
}
