/**
 * A fault put into a clean site on purpose, and where the audit must see it. `shared` plantings stand together
 * in the site of 300 pages; `own` ones spoil a whole site and get a small origin each.
 */
import { ORIGIN } from '../audit-facts.js';
import type { PlantedSite } from './planted-site.js';

export interface Planting {
  /** Rule id of the fault. */
  readonly rule: string;
  /** What the fault is, for the name of the test. */
  readonly fault: string;
  readonly where: 'shared' | 'own';
  plant(site: PlantedSite): void;
  /** Every place where its rule must fire, as paths of the site or whole URLs; no other. */
  readonly at: readonly string[];
  /** Other rules that this fault cannot help firing, with their places. */
  readonly also?: Readonly<Record<string, readonly string[]>>;
  /** Cap of the score by a gate, where this fault has one. */
  readonly gate?: 40 | 50;
}

/** What each rule must say about a site with these plantings: the places by rule, sorted. */
export function expectedPlaces(plantings: readonly Planting[]): Map<string, string[]> {
  const places = new Map<string, Set<string>>();
  for (const { rule, at, also = {} } of plantings) {
    for (const [id, paths] of [[rule, at] as const, ...Object.entries(also)]) {
      const own = places.get(id) ?? new Set<string>();
      for (const path of paths) own.add(new URL(path, ORIGIN).href);
      places.set(id, own);
    }
  }
  return new Map([...places].map(([id, urls]) => [id, [...urls].sort()]));
}
