/** Looks up TXT records with c-ares. A missing name or a failed lookup returns no records, and so proves nothing. */
import type { TextRecords } from '../../../audits/index.js';
import { queryDns } from '../egress/cares-resolver.js';

const LOOKUP_MS = 5_000;

export function createTextRecords(servers?: readonly string[]): TextRecords {
  return {
    lookup: (name, signal) =>
      queryDns({ servers, timeoutMs: LOOKUP_MS }, signal, (channel) => channel.resolveTxt(name)).then(
        (found) => found.map((chunks) => chunks.join('')),
        () => [],
      ),
  };
}
