/** The fingerprint that identifies a repeated request: method, URL, content type and body. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { hashParts, headerValues } from '../net/index.js';
import { StreamedBody } from './streamed-body.js';
import type { UpstreamRequest } from './upstream-request.js';

/** Available before anything is sent. A streamed body has no digest yet, so its length is used instead. */
export function fingerprintOf(request: UpstreamRequest): string {
  const { body } = request;
  return body instanceof StreamedBody
    ? hashParts([...headOf(request), 'streamed', String(body.byteLength ?? '')])
    : hashParts([...headOf(request), bytesToHex(sha256(body))]);
}

/** The fingerprint of a streamed request, once its whole body was read. */
export function digestOf(request: UpstreamRequest): string | undefined {
  const digest = request.body instanceof StreamedBody ? request.body.digest() : undefined;
  return digest === undefined ? undefined : hashParts([...headOf(request), digest]);
}

function headOf({ method, url, headers }: UpstreamRequest): string[] {
  const lower = headers.map(([name, value]) => [name.toLowerCase(), value] as const);
  const [contentType = ''] = headerValues(lower, 'content-type');
  return [method, url.href, contentType];
}
