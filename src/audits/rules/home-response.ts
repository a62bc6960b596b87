/** The response of the home page, or why rules about it cannot be judged. */
import type { FetchFacts } from '../facts/fetch-facts.js';
import type { SiteFacts } from '../facts/site-facts.js';
import { notMeasured, type Outcome } from '../rule.js';

type HomeResponse =
  | { readonly home: FetchFacts; readonly unmeasured?: undefined }
  | { readonly home?: undefined; readonly unmeasured: Outcome };

export function homeResponse({ homeUrl, responses }: Pick<SiteFacts, 'homeUrl' | 'responses'>): HomeResponse {
  const home = responses.get(homeUrl);
  if (!home) {
    return { unmeasured: notMeasured('the home page was not requested: robots.txt does not allow it') };
  }
  return home.status === null ? { unmeasured: notMeasured('the home page did not respond') } : { home };
}
