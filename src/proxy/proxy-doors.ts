/** The two doors of the proxy: what a pattern opens is open for requests that this pattern lets through, and for no others. */
import type { Door, DoorPolicy } from '../net/index.js';
import type { ProxyDoor } from './proxy-parts.js';

export function openProxyDoors<Net extends DoorPolicy>(
  net: Net,
  openDoor: (net: Net) => Door,
  privateOrigins: readonly string[],
): { door: ProxyDoor; close(): Promise<void> } {
  const closed = openDoor(net);
  const opened = openDoor({ ...net, allowPrivate: [...(net.allowPrivate ?? []), ...privateOrigins] });
  return {
    door: { fetch: (request, lifted) => (lifted ? opened : closed).fetch(request) },
    close: async () => void (await Promise.all([closed.close(), opened.close()])),
  };
}
