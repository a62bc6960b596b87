/** Chooses work of several tenants: first what has the fewest of its tenant before it, in the given order. */
export interface Candidate<T> {
  readonly item: T;
  /** How much of the same tenant comes before it. */
  readonly place: number;
  /** The first of a tenant that has none yet. */
  readonly isGuest: boolean;
}

/** At most `limit`, and in addition as many of the remaining guests. */
export function chooseFairly<T>(candidates: readonly Candidate<T>[], limit: number, guests: number): T[] {
  // Stable, so that tenants with equal places keep their turns.
  const inOrder = [...candidates].sort((a, b) => a.place - b.place);
  const besides = inOrder.slice(limit).filter(({ isGuest }) => isGuest);
  return [...inOrder.slice(0, limit), ...besides.slice(0, guests)].map(({ item }) => item);
}
