/**
 * Checks whether a tenant has proved ownership of a host: its token is in `/.well-known/sonde-verify` on the host, or
 * in the TXT record `sonde-verify=…` of `_sonde-verify.` before the host name. The token is derived from tenant and
 * domain and is not a secret: whoever can publish it controls the host.
 */
import { hashParts } from '../../net/index.js';
import { siteDomain } from '../site-domain.js';
import type { AuditFetcher } from './audit-fetcher.js';
import type { TextRecords } from './audit-ports.js';

const VERIFY_PATH = '/.well-known/sonde-verify';
const TOKEN_CHARS = 40;
const FILE_BYTES = 4096;

/** What a tenant has to publish, in one place or the other, to prove ownership of a site. */
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
  claim: { readonly homeUrl: string; readonly tenantId: string },
  ports: {
    readonly fetcher: AuditFetcher;
    readonly textRecords?: TextRecords | undefined;
    readonly signal: AbortSignal;
  },
): Promise<boolean> {
  const { token, file, record } = ownerProof(claim.tenantId, new URL(claim.homeUrl));
  // A redirect would let another host vouch for this one.
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
