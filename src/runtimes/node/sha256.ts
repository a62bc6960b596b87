/** The platform's own SHA-256, in one call and at once. */
import { hash } from 'node:crypto';

/** In hex. */
export function sha256(data: Uint8Array | string): string {
  return hash('sha256', data, 'hex');
}
