/** Plans the rows of a suite's paths, each with the id of the comparison to create. */
import type { Finding } from '../finding.js';
import { comparisonIdOf, pairKeyOf } from '../pair-key.js';
import type { SuiteKey, SuitePlan } from './suite-store.js';
import { type SideBases, urlUnder } from './suite-urls.js';

export interface PlannedPaths {
  readonly bases: SideBases;
  readonly paths: readonly string[];
  readonly findings: readonly Finding[];
  readonly notes?: readonly string[];
}

export function suitePlan(
  key: SuiteKey,
  { bases, paths, findings, notes = [] }: PlannedPaths,
  newUuid: () => string,
): SuitePlan {
  return {
    ...key,
    paths: paths.map((path) => {
      const leftUrl = urlUnder(bases.left, path);
      const rightUrl = urlUnder(bases.right, path);
      const pairKey = pairKeyOf({ tenantId: key.tenantId, leftUrl, rightUrl });
      return { path, comparisonId: comparisonIdOf(pairKey, newUuid()) };
    }),
    findingsJson: JSON.stringify(findings),
    notesJson: JSON.stringify(notes),
  };
}
