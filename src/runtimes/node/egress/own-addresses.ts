/**
 * This machine's addresses. Services often trust their own host, so a request that comes back to it by a
 * public address is refused like one to loopback. Read at most every half minute: interfaces change rarely.
 */
import { networkInterfaces } from 'node:os';

const FRESH_MS = 30_000;

let known: readonly string[] = [];
let readAt = Number.NEGATIVE_INFINITY;

export function ownAddresses(): readonly string[] {
  if (performance.now() - readAt > FRESH_MS) {
    readAt = performance.now();
    known = Object.values(networkInterfaces()).flatMap((each) => (each ?? []).map(({ address }) => address));
  }
  return known;
}
