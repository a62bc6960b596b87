/** `--trust-proxy`: the peers whose `X-Forwarded-*` headers are trusted, as addresses and CIDR ranges. */
import { BlockList, isIP } from 'node:net';
import { SondeError } from '../../../errors.js';

export function createTrustedPeers(entries: readonly string[]): (address: string) => boolean {
  if (entries.length === 0) return () => false;
  const list = new BlockList();
  for (const entry of entries) add(list, entry);
  return (address) => {
    const family = isIP(address);
    return family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4');
  };
}

function add(list: BlockList, entry: string): void {
  const [address = '', prefix, ...rest] = entry.split('/');
  const family = isIP(address);
  const bits = family === 6 ? 128 : 32;
  const length = prefix === undefined ? bits : Number(prefix);
  const isValid = rest.length === 0 && (prefix === undefined || /^\d{1,3}$/.test(prefix)) && length <= bits;
  if (family === 0 || !isValid) {
    throw new SondeError(
      'CONFIG_INVALID_VALUE',
      `server.trustProxy: "${entry}" is not an IP address or CIDR range`,
      {
        details: { key: 'server.trustProxy' },
      },
    );
  }
  list.addSubnet(address, length, family === 6 ? 'ipv6' : 'ipv4');
}
