/** Node's synchronous one-shot SHA-256. */
import { hash } from 'node:crypto';

/** Returns hex digits. */
export function sha256(data: Uint8Array | string): string {
  return hash('sha256', data, 'hex');
}
