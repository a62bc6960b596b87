/** What the routes about comparisons are given; absent where their history has no store. */
import type { ComparisonStore, SuiteStore } from '../compare/index.js';
import type { HeaderList } from '../net/index.js';

export interface AppComparisons {
  readonly store: ComparisonStore;
  readonly suites: SuiteStore;
  /** Keeps what a side is really asked with from everyone but the steps that ask. */
  seal(request: { readonly url: string; readonly headers: HeaderList }): Promise<Uint8Array>;
  redactUrl(url: string): string;
}
