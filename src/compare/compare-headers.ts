/** Compares one header field of two sides: first as written, then in its canonical, origin-mapped form. */
import type { SampleView } from './sample-view.js';
import { VOLATILE_HEADERS } from './volatile-headers.js';

export function sameField(left: SampleView, right: SampleView, name: string): boolean {
  const a = left.lines(name);
  const b = right.lines(name);
  if (a === undefined || b === undefined) return a === b;
  if (VOLATILE_HEADERS.has(name) || sameLines(a, b)) return true;
  // Most fields differ only in the host, and policies only in hosts and nonces, so few need to be parsed.
  if (name === 'content-security-policy') {
    if (left.cspText === right.cspText) return true;
  } else if (a.length === 1 && b.length === 1 && left.sameMapped(a[0] ?? '', right, b[0] ?? '')) return true;
  return left.canonical(name) === right.canonical(name);
}

/** Whether the field is written identically on both sides. */
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
