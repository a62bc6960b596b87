/**
 * Whether a tenant has shown that a host is theirs: their token stands in `/.well-known/sonde-verify` on the
 * host, or in a TXT record `sonde-verify=…` of `_sonde-verify.` before the host's name. The token is derived
 * from tenant and domain and is no secret: who can put it there controls the host.
 */
import { hashParts } from '../../net/index.js';
import { siteDomain } from '../site-domain.js';
import type { AuditFetcher } from './audit-fetcher.js';
import type { TextRecords } from './audit-ports.js';

const VERIFY_PATH = '/.well-known/sonde-verify';
const TOKEN_CHARS = 40;
const FILE_BYTES = 4096;

/** What a tenant has to publish to be known as a site's owner, in one place or the other. */
export interface OwnerProof {
  readonly domain: string;
  readonly token: string;
  readonly file: { readonly url: string; readonly content: string };
  readonly record: { readonly name: string; readonly value: string };
}

export function ownerProof(tenantId: string, site: URL): OwnerProof {
  const domain = siteDomain(site);
  const token = hashParts(['sonde-verify', tenantId, domain]).slice(0, TOKEN_CHARS);
  return {
    domain,
    token,
    file: { url: site.origin + VERIFY_PATH, content: token },
    record: { name: `_sonde-verify.${site.hostname}`, value: `sonde-verify=${token}` },
  };
}

export async function isOwner(
  ask: { readonly homeUrl: string; readonly tenantId: string },
  ports: { readonly fetcher: AuditFetcher; readonly textRecords?: TextRecords; readonly signal: AbortSignal },
): Promise<boolean> {
  const { token, file, record } = ownerProof(ask.tenantId, new URL(ask.homeUrl));
  // A redirect would let another host speak for this one.
  const { facts, bytes } = await ports.fetcher.fetch({
    url: file.url,
    keep: 'any',
    bodyBytes: FILE_BYTES,
    redirects: 0,
  });
  const lines = facts.status === 200 && bytes ? new TextDecoder().decode(bytes).split(/\s+/) : [];
  if (lines.includes(token)) return true;
  const records = await ports.textRecords?.lookup(record.name, ports.signal);
  return records?.some((text) => text.trim() === record.value) ?? false;
}
