/** Sections of coverage as bits, since every rule asks both sides about its inputs. There are fewer than 31. */
import { COVERAGE_SECTIONS, type CoverageSection } from '../probe/index.js';

const BITS: ReadonlyMap<CoverageSection, number> = new Map(
  COVERAGE_SECTIONS.map((section, index) => [section, 2 ** index]),
);

export function bitOf(section: CoverageSection): number {
  return BITS.get(section) ?? 0;
}

export function maskOf(sections: readonly CoverageSection[]): number {
  let mask = 0;
  for (const section of sections) mask |= bitOf(section);
  return mask;
}
