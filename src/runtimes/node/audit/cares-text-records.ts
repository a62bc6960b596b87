/** Looks up TXT records with c-ares. A missing name or a failed lookup returns no records, and so proves nothing. */
import { Resolver } from 'node:dns/promises';
import type { TextRecords } from '../../../audits/index.js';

const LOOKUP_MS = 5_000;

export function createTextRecords(options: { servers?: readonly string[] } = {}): TextRecords {
  return {
    async lookup(name, signal) {
      const resolver = new Resolver({ timeout: LOOKUP_MS, tries: 2 });
      if (options.servers && options.servers.length > 0) resolver.setServers(options.servers);
      const cancel = () => resolver.cancel();
      signal.addEventListener('abort', cancel);
      try {
        return (await resolver.resolveTxt(name)).map((chunks) => chunks.join(''));
      } catch {
        return [];
      } finally {
        signal.removeEventListener('abort', cancel);
      }
    },
  };
}
