/** Dependencies of the comparison routes; absent on a host without a store for their history. */
import {
  type ComparisonRow,
  type ComparisonStore,
  pairKeyIn,
  type SuiteRow,
  type SuiteStore,
} from '../compare/index.js';
import { SondeError } from '../errors.js';
import type { Tenant } from '../jobs/index.js';
import type { HeaderList } from '../net/index.js';
import { isUuid } from '../uuid.js';
import type { AppDeps } from './app-env.js';
import type { RecordServices } from './records.js';

export interface AppComparisons {
  readonly store: ComparisonStore;
  readonly suites: SuiteStore;
  /** Encrypts the real URL and headers of one side, so that only the steps that send its requests can read them. */
  seal(request: { readonly url: string; readonly headers: HeaderList }): Promise<Uint8Array>;
  redactUrl(url: string): string;
}

/** What operations on comparisons run on. */
export interface ComparisonServices extends RecordServices, Pick<AppDeps, 'clock' | 'turn'> {
  readonly comparisons: AppComparisons;
}

export async function needComparison(
  { store }: Pick<AppComparisons, 'store'>,
  tenant: Tenant,
  comparisonId: string,
): Promise<ComparisonRow> {
  const key = { tenantId: tenant.id, comparisonId };
  const row = pairKeyIn(comparisonId) ? await store.getComparison(key) : undefined;
  if (!row) throw new SondeError('NOT_FOUND', 'Comparison not found.');
  return row;
}

export async function needSuite(
  { suites }: Pick<AppComparisons, 'suites'>,
  tenant: Tenant,
  suiteId: string,
): Promise<SuiteRow> {
  const row = isUuid(suiteId) ? await suites.getSuite({ tenantId: tenant.id, suiteId }) : undefined;
  if (!row) throw new SondeError('NOT_FOUND', 'Suite not found.');
  return row;
}
