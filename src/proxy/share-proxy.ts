/**
 * POST `?action=share`: returns a signed URL that can read a response and nothing else. A token makes one that is valid
 * as long as a new response's own URL; the holder of a full signed URL, one that expires with it. A URL for reading makes
 * no other.
 */
import { SondeError } from '../errors.js';
import type { StreamResponse } from '../streams/index.js';
import { findProxy } from './find-proxy.js';
import type { ProxyDeps } from './proxy-deps.js';
import type { ProxyRead } from './read-proxy.js';
import type { SignedGrant, SignedUrls } from './signed-url.js';

export interface ProxyShare extends ProxyRead {
  /** Undefined for the holder of a token. */
  readonly signed: SignedGrant | undefined;
  /** An absolute URL of this server for a path and query. */
  absolute(path: string): string;
}

export async function shareProxy(deps: ProxyDeps, share: ProxyShare): Promise<StreamResponse> {
  await findProxy(deps, share.id, share.tenant);
  return sharedLocation(deps.signedUrls, share, deps.timers.now() + deps.settings.urlMs);
}

/** The response for a stream that exists. */
export function sharedLocation(
  signedUrls: SignedUrls,
  { id, query, signed, absolute }: ProxyShare,
  latestMs: number,
): StreamResponse {
  if (query.get('action') !== 'share') {
    throw new SondeError('INVALID_ACTION', 'The query parameter action must be share.', {
      details: { supported: ['share'] },
    });
  }
  const expiresAt = Math.min(Math.floor(latestMs / 1000), signed?.expiresAt ?? Number.POSITIVE_INFINITY);
  return { status: 201, headers: { Location: absolute(signedUrls.pathFor(id, expiresAt, 'read')) } };
}
