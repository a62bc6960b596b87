/** Whether a field means the same on both sides: as written, or once canonical and origin-mapped. */
import type { SampleView } from './sample-view.js';
import { VOLATILE_HEADERS } from './volatile-headers.js';

export function sameField(left: SampleView, right: SampleView, name: string): boolean {
  const a = left.lines(name);
  const b = right.lines(name);
  if (a === undefined || b === undefined) return a === b;
  if (VOLATILE_HEADERS.has(name)) return true;
  if (a.length === b.length && a.every((line, index) => line === b[index])) return true;
  return left.canonical(name) === right.canonical(name);
}
