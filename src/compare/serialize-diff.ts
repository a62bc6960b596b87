/**
 * The one text of a diff. Members come in the order in which `computeDiff` and `judgeDiff` build them, which depends
 * on nothing but the code, and every map in a diff is built in code-unit order of its keys; so equal envelopes give
 * equal bytes, and reading the text and writing it again changes none. Sorting all members here as well would cost
 * a tenth of a whole diff.
 */
import type { EnvDiff } from './env-diff.js';

export function serializeDiff(diff: EnvDiff): string {
  return JSON.stringify(diff);
}
