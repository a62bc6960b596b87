/** The URLs of a server. */
import { isIPv6 } from 'node:net';
import { trimEnd } from '../../../trim-end.js';

/** The code is in the fragment, which is not sent to servers or proxies and does not appear in logs. */
export function loginUrl(base: string, code: string): string {
  return `${trimEnd(base, '/')}/#code=${code}`;
}

export function urlOf(host: string, port: number): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${bracketed(reachable)}:${port}`;
}

export function bracketed(host: string): string {
  return isIPv6(host) ? `[${host}]` : host;
}
