/**
 * Serializes a diff deterministically. Members are in the order in which `computeDiff` and `judgeDiff` build them,
 * which is fixed, and every map is built in code-unit order of its keys. So equal envelopes give equal bytes, and
 * parsing and serializing again changes nothing. Sorting all members here would add a tenth to the time of a diff.
 */
import type { EnvDiff } from './env-diff.js';

export function serializeDiff(diff: EnvDiff): string {
  return JSON.stringify(diff);
}
