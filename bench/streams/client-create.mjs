// Creates a stream, or finds that it already exists.
import { request } from './wire.mjs';

/** @param {import('./wire.mjs').Wire} wire @param {string} stream @param {string} type */
export async function createStream(wire, stream, type) {
  const { status, text } = await wire.ask(request('PUT', stream, { type }));
  if (status >= 300) throw new Error(`PUT ${stream}: ${status} ${text}`);
}
