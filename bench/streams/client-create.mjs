// Creates a stream, or finds that it already exists.
import { request } from './wire.mjs';

/**
 * @param {import('./wire.mjs').Wire} wire @param {string} stream
 * @param {{ type: string, headers?: Record<string, string> }} how
 */
export async function createStream(wire, stream, how) {
  const { status, text } = await wire.ask(request('PUT', stream, how));
  if (status >= 300) throw new Error(`PUT ${stream}: ${status} ${text}`);
}
