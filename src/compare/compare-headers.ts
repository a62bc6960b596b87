/** Whether a field means the same on both sides: as written, or once canonical and origin-mapped. */
import type { SampleView } from './sample-view.js';
import { VOLATILE_HEADERS } from './volatile-headers.js';

export function sameField(left: SampleView, right: SampleView, name: string): boolean {
  const a = left.lines(name);
  const b = right.lines(name);
  if (a === undefined || b === undefined) return a === b;
  if (VOLATILE_HEADERS.has(name) || sameLines(a, b)) return true;
  // Most fields that differ do so in the host alone, policies in hosts and nonces; parsing is for the rest.
  if (name === 'content-security-policy') {
    if (left.cspText === right.cspText) return true;
  } else if (a.length === 1 && b.length === 1 && left.sameMapped(a[0] ?? '', right, b[0] ?? '')) return true;
  return left.canonical(name) === right.canonical(name);
}

/** Whether both sides write the field alike, to the letter. */
export function sameText(left: SampleView, right: SampleView, name: string): boolean {
  const a = left.lines(name);
  const b = right.lines(name);
  return a === b || (a !== undefined && b !== undefined && sameLines(a, b));
}

export function sameLines(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}
