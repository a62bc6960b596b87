/** Sections of coverage as bits, since every rule asks both sides about its inputs. There are fewer than 31. */
import { COVERAGE_SECTIONS, type CoverageSection } from '../probe/index.js';

const BITS: ReadonlyMap<CoverageSection, number> = new Map(
  COVERAGE_SECTIONS.map((section, index) => [section, 2 ** index]),
);

export function bitOf(section: CoverageSection): number {
  return BITS.get(section) ?? 0;
}

/** Masks of one comparison: its samples nearly always observed the same sections, listed alike. */
export class CoverageMasks {
  #last: readonly CoverageSection[] = [];
  #mask = 0;

  of(sections: readonly CoverageSection[]): number {
    if (!sameSections(sections, this.#last)) {
      this.#last = sections;
      this.#mask = maskOf(sections);
    }
    return this.#mask;
  }
}

function sameSections(a: readonly CoverageSection[], b: readonly CoverageSection[]): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}

export function maskOf(sections: readonly CoverageSection[]): number {
  let mask = 0;
  for (const section of sections) mask |= bitOf(section);
  return mask;
}
