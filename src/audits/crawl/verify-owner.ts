/**
 * Whether a tenant has shown that a host is theirs: their token stands in `/.well-known/sonde-verify` on the
 * host, or in a TXT record `sonde-verify=…` of `_sonde-verify.` before the host's name. The token is derived
 * from tenant and domain and is no secret: who can put it there controls the host.
 */
import { hashParts } from '../../net/index.js';
import type { AuditFetcher } from './audit-fetcher.js';
import type { TextRecords } from './audit-ports.js';

export const VERIFY_PATH = '/.well-known/sonde-verify';
const TOKEN_CHARS = 40;
const FILE_BYTES = 4096;

export function ownerToken(tenantId: string, domain: string): string {
  return hashParts(['sonde-verify', tenantId, domain]).slice(0, TOKEN_CHARS);
}

export async function isOwner(
  ask: { readonly homeUrl: string; readonly domain: string; readonly tenantId: string },
  ports: { readonly fetcher: AuditFetcher; readonly textRecords?: TextRecords; readonly signal: AbortSignal },
): Promise<boolean> {
  const token = ownerToken(ask.tenantId, ask.domain);
  const { origin, hostname } = new URL(ask.homeUrl);
  // A redirect would let another host speak for this one.
  const { facts, bytes } = await ports.fetcher.fetch({
    url: origin + VERIFY_PATH,
    keep: 'any',
    bodyBytes: FILE_BYTES,
    redirects: 0,
  });
  const lines = facts.status === 200 && bytes ? new TextDecoder().decode(bytes).split(/\s+/) : [];
  if (lines.includes(token)) return true;
  const records = await ports.textRecords?.lookup(`_sonde-verify.${hostname}`, ports.signal);
  return records?.some((record) => record.trim() === `sonde-verify=${token}`) ?? false;
}
