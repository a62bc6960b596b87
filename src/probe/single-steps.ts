/**
 * The steps of a probe as functions of their own, for callers who fetch by other means. Each does exactly what a probe
 * does; only the check of an address needs the answers of the name servers too, so it is not here.
 */
import { createPolicy, fetchFault, type HeaderList } from '../net/index.js';
import { tryUrl } from '../try-url.js';
import { probeErrorCode } from './probe-error-code.js';
import { ProbeRedactor } from './probe-redactor.js';
import { readHeaders } from './read-headers.js';
import type { ProbeErrorCode, ResponseHeaders } from './signal-envelope.js';

/** Whether a URL may be probed, as far as the URL itself shows; `reason` is the rule that refuses it. */
export function validateUrlSafety(url: string): { readonly safe: boolean; readonly reason?: string } {
  const verdict = createPolicy().judgeUrl(url);
  return verdict.ok ? { safe: true } : { safe: false, reason: verdict.refusal.rule };
}

/** The target of a `Location`, absolute. */
export function resolveUrl(baseUrl: string, location: string): string | undefined {
  return tryUrl(location, baseUrl)?.href;
}

/** The headers that an envelope keeps, redacted. */
export function filterHeaders(headers: Readonly<Record<string, string>>): ResponseHeaders {
  const lines: HeaderList = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return readHeaders(lines, 'core', new ProbeRedactor());
}

/** The code for an error that `fetch` threw. */
export function classifyFetchError(error: unknown): ProbeErrorCode {
  return probeErrorCode(fetchFault(error));
}
