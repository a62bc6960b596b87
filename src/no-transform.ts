/**
 * Forbids intermediaries to change a body that can end early. Compression would buffer a live body, and would remove the
 * length by which a reader notices an incomplete body.
 */
import { joinHeaders } from './join-headers.js';

const NO_TRANSFORM = 'no-transform';

export function untransformed(headers: Readonly<Record<string, string>>): Record<string, string> {
  const name = Object.keys(headers).find((each) => each.toLowerCase() === 'cache-control') ?? 'Cache-Control';
  const value = headers[name];
  if (value?.toLowerCase().includes(NO_TRANSFORM)) return { ...headers };
  return joinHeaders(headers, { [name]: value ? `${value}, ${NO_TRANSFORM}` : NO_TRANSFORM });
}
