/**
 * A fault planted into a clean site, and where the audit must find it. `shared` plantings coexist in the site of 300
 * pages; `own` ones break a whole site and get a small origin each.
 */
import { ORIGIN } from '../audit-facts.js';
import type { PlantedSite } from './planted-site.js';

export interface Planting {
  /** Rule id of the fault. */
  readonly rule: string;
  /** What the fault is, for the test title. */
  readonly fault: string;
  readonly where: 'shared' | 'own';
  plant(site: PlantedSite): void;
  /** Every place where its rule must fire, as paths of the site or whole URLs, and no other. */
  readonly at: readonly string[];
  /** Other rules that this fault inevitably triggers, with their places. */
  readonly also?: Readonly<Record<string, readonly string[]>>;
  /** The score cap of a gate, if this fault triggers one. */
  readonly gate?: 40 | 50;
}

/** Returns what each rule must report for a site with these plantings: the places by rule, sorted. */
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
