/**
 * Offsets: `{hash}:{chunk}:{position}`, opaque to clients and sortable as text within a stream. A position counts
 * stored bytes in its chunk. The end of a sealed chunk and the start of the next are the same place; only the
 * latter is ever returned, so every offset has one spelling.
 */
import { SondeError } from '../errors.js';

/** A place in a stream, and in all of its forks up to where they branch off. */
export interface Position {
  readonly chunk: number;
  readonly position: number;
}

export type OffsetToken =
  | { readonly kind: 'start' }
  | { readonly kind: 'now' }
  | { readonly kind: 'beyond' }
  | { readonly kind: 'at'; readonly hash: string; readonly position: Position };

export const START: Position = { chunk: 0, position: 0 };

const OFFSET = /^([0-9a-z]{5}):(\d{8}):(\d{10})$/;
/** The protocol's public test suite sends these for "start" and "past any tail", whatever format a server uses. */
const SUITE_START = '0000000000000000_0000000000000000';
const SUITE_BEYOND = '9999999999999999_9999999999999999';

export function formatOffset(hash: string, { chunk, position }: Position): string {
  return `${hash}:${String(chunk).padStart(8, '0')}:${String(position).padStart(10, '0')}`;
}

export function parseOffset(text: string): OffsetToken {
  if (text === '-1' || text === SUITE_START) return { kind: 'start' };
  if (text === 'now') return { kind: 'now' };
  if (text === SUITE_BEYOND) return { kind: 'beyond' };
  const match = OFFSET.exec(text);
  if (!match) throw invalidOffset('the offset must be one returned by this stream, -1 or now');
  const [, hash = '', chunk, position] = match;
  return { kind: 'at', hash, position: { chunk: Number(chunk), position: Number(position) } };
}

export function comparePositions(a: Position, b: Position): number {
  return a.chunk - b.chunk || a.position - b.position;
}

export function invalidOffset(message: string): SondeError {
  return new SondeError('OFFSET_INVALID', message);
}
