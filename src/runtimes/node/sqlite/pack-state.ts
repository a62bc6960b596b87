/**
 * Packs a stream's state into a list of its values. Threads copy their messages, and copying twenty member names with
 * every response costs more than the append itself.
 */
import type { StreamState } from '../../../streams/index.js';

const NAMES = [
  'id',
  'life',
  'hash',
  'contentType',
  'tail',
  'totalBytes',
  'writeUnits',
  'createdAt',
  'accessedAt',
  'appendedAt',
  'ttlSeconds',
  'expiresAt',
  'closed',
  'createdClosed',
  'closedBy',
  'lastSeq',
  'deleted',
  'ancestors',
  'corruptFrom',
  'metadata',
] as const satisfies readonly (keyof StreamState)[];

/** Does not compile if a name is missing above. */
type Complete = Exclude<keyof StreamState, (typeof NAMES)[number]> extends never ? true : never;
const complete: Complete = true;

/** Marks a list as a packed state among other lists. */
const MARK = '\u0000state';

/** Packs every state at the top of a result, or one level below it. */
export function packStates(value: unknown): unknown {
  if (isState(value)) return pack(value);
  if (Array.isArray(value)) return value.some(isState) ? value.map(packStates) : value;
  if (typeof value !== 'object' || value === null || !('state' in value)) return value;
  return { ...value, state: packStates(value.state) };
}

export function unpackStates(value: unknown): unknown {
  if (Array.isArray(value)) return value[0] === MARK ? unpack(value) : value.map(unpackStates);
  if (typeof value !== 'object' || value === null || !('state' in value)) return value;
  return Object.assign(value, { state: unpackStates(value.state) });
}

function isState(value: unknown): value is StreamState {
  return complete && typeof value === 'object' && value !== null && 'writeUnits' in value && 'tail' in value;
}

function pack(state: StreamState): unknown[] {
  const values: unknown[] = [MARK];
  for (const name of NAMES) values.push(state[name]);
  return values;
}

function unpack(values: readonly unknown[]): StreamState {
  const state: Record<string, unknown> = {};
  for (const [index, name] of NAMES.entries()) state[name] = values[index + 1];
  return state as unknown as StreamState;
}
