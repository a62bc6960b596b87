/**
 * Parses the body of `POST /api/suites`. It can contain large recordings that take seconds to parse, so a host with
 * threads runs this function in one of them, and a host without threads refuses large bodies.
 */
import * as z from 'zod';
import { SUITE_LIMITS, type SuiteKey, type SuitePlan, sideLabels, suitePlan } from '../../compare/index.js';
import { decodeText } from '../../kernel/input.js';
import { invalidRequest } from '../../kernel/invalid-request.js';
import { refuseNulInJson } from '../../kernel/refusals.js';
import { hashParts } from '../../net/index.js';
import { parseJson } from '../../parse-json.js';
import { tryUrl } from '../../try-url.js';
import { CompareFields } from './compare-request.js';
import { PathSources, readGivenPaths } from './suite-paths.js';

export const SuiteRequest = z.strictObject({
  ...CompareFields,
  ...PathSources,
  explain: z.boolean().optional().describe('Explain each result. Default false.'),
  concurrency: z.int().min(1).max(SUITE_LIMITS.lanes).optional().describe('Paths compared at once.'),
  perHost: z.int().min(1).max(SUITE_LIMITS.lanes).optional().describe('Concurrent probes per host.'),
});

export interface SuiteInput {
  readonly request: Omit<z.output<typeof SuiteRequest>, 'paths' | 'openapi' | 'har'>;
  /** Absent if the paths come from a sitemap, which the suite's job fetches. */
  readonly plan?: Omit<SuitePlan, keyof SuiteKey>;
  /** Identifies the body's text. */
  readonly digest: string;
}

export interface SuiteReader {
  readonly bytesMax: number;
  read(bytes: Uint8Array, tenantId: string): Promise<SuiteInput>;
}

export async function readSuiteRequest(bytes: Uint8Array, tenantId: string): Promise<SuiteInput> {
  const text = decodeText(bytes);
  const result = SuiteRequest.safeParse(parseJson(text));
  if (!result.success) throw invalidRequest('body', result.error.issues);
  const { paths, openapi, har, ...request } = result.data;
  // Not in recordings, whose bodies may be binary and are not kept.
  refuseNulInJson(JSON.stringify([request, paths, openapi]));
  const given = await readGivenPaths({ paths, openapi, har, sitemap: request.sitemap }, sidesOf(request));
  const digest = hashParts([text]);
  const bases = { left: request.leftUrl, right: request.rightUrl };
  // The caller refuses a side that is not a URL.
  if (!given || !tryUrl(bases.left) || !tryUrl(bases.right)) return { request, digest };
  const key = { tenantId, suiteId: '' };
  const {
    suiteId: _,
    tenantId: __,
    ...plan
  } = suitePlan(key, { bases, ...given }, () => crypto.randomUUID());
  return { request, plan, digest };
}

/** Names of the sides in findings about the suite itself: a label or a host, never a complete URL. */
function sidesOf({ leftUrl, rightUrl, leftLabel, rightLabel, candidate }: SuiteInput['request']) {
  const given = { ...(leftLabel && { left: leftLabel }), ...(rightLabel && { right: rightLabel }) };
  const judged = candidate ? { candidate } : {};
  return { labels: sideLabels({ left: leftUrl, right: rightUrl }, { given, ...judged }), ...judged };
}
