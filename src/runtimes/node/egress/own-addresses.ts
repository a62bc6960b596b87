/**
 * The addresses of this machine. Services often trust their own host, so a request to one of its public addresses is
 * refused like one to loopback. They are read at most every half minute, because interfaces rarely change.
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
