/** The dependencies of suites on every engine: comparisons, and documents fetched through the egress layer. */
import { createRedactor, type Egress, fetchWhole } from '../net/index.js';
import { type SideBox, sealSide } from './compare-deps.js';
import type { SuiteDeps } from './compare-suite.js';

export interface SuiteComposition extends Pick<SuiteDeps, 'suites' | 'compare'> {
  readonly box: SideBox;
  readonly egress: Egress;
}

export function createSuiteDeps({ suites, compare, box, egress }: SuiteComposition): SuiteDeps {
  const redactor = createRedactor();
  return {
    suites,
    compare,
    seal: (request) => sealSide(box, request),
    redactUrl: (url) => redactor.text(url),
    fetchBytes: (request, signal) => fetchWhole(egress, { ...request, signal }),
    newUuid: () => crypto.randomUUID(),
  };
}
