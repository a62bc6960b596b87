/** The protocol's response headers, in one place. */
import { endOf } from './expiry.js';
import { formatOffset, type Position } from './offset.js';
import type { StreamState } from './stream-store.js';

export function stateHeaders(state: StreamState): Record<string, string> {
  const end = endOf(state);
  return {
    'Content-Type': state.contentType,
    'Stream-Total-Size': String(state.totalBytes),
    'Stream-Write-Units': String(state.writeUnits),
    ...(state.ttlSeconds !== null && { 'Stream-TTL': String(state.ttlSeconds) }),
    ...(end !== null && { 'Stream-Expires-At': new Date(end).toISOString() }),
  };
}

export function nextOffset(state: StreamState, position: Position = state.tail): Record<string, string> {
  return { 'Stream-Next-Offset': formatOffset(state.hash, position) };
}

export function closedHeader(closed: boolean): Record<string, string> {
  return closed ? { 'Stream-Closed': 'true' } : {};
}

/** Matches `Stream-Closed: true`, ignoring case. Any other value is ignored. */
export function asksToClose(value: string | null): boolean {
  return value?.trim().toLowerCase() === 'true';
}

export function entityTag(state: StreamState, from: Position, end: Position): string {
  const [a, b] = [from, end].map(({ chunk, position }) => `${chunk}.${position}`);
  return `"${state.hash}-${a}-${b}${state.closed ? '-closed' : ''}"`;
}
