/**
 * Which findings usually come from one cause, as a table. A row applies when one of its `signs` is among the
 * findings; it then explains those and every finding of `explains`. Rows are tried in order and a finding
 * belongs to the first row that takes it, so the specific stand before the general.
 */
import type { FindingCategory, FindingCode } from '../compare/index.js';

export interface CauseRow {
  readonly cause: string;
  /** How often this is it where the signs are there; by judgement, not measured. */
  readonly confidence: number;
  readonly signs: readonly FindingCode[];
  readonly explains?: readonly FindingCode[];
}

export const CAUSES: readonly CauseRow[] = [
  {
    cause: 'One side cannot be reached, so nothing else could be compared.',
    confidence: 0.95,
    signs: ['PROBE_FAILURE'],
    explains: ['TLS_CERT_INVALID', 'REDIRECT_LOOP', 'DNS_DRIFT', 'HTTPS_ENFORCEMENT_DRIFT'],
  },
  {
    cause: 'A bot filter or rate limit answered instead of the site.',
    confidence: 0.9,
    signs: ['PROBE_BLOCKED'],
    explains: [
      'STATUS_MISMATCH',
      'RATE_LIMIT_DRIFT',
      'BODY_HASH_DRIFT',
      'CONTENT_LENGTH_DRIFT',
      'HTML_STRUCTURE_DRIFT',
      'HTML_META_DRIFT',
      'CONTENT_TYPE_DRIFT',
    ],
  },
  {
    cause: 'Only one side asks its visitors to log in.',
    confidence: 0.9,
    signs: ['AUTH_GATE_DRIFT', 'AUTH_CHALLENGE_PRESENT'],
    explains: [
      'STATUS_MISMATCH',
      'AUTH_SCHEME_DRIFT',
      'FINAL_URL_MISMATCH',
      'REDIRECT_CHAIN_CHANGED',
      'BODY_HASH_DRIFT',
      'CONTENT_LENGTH_DRIFT',
      'CONTENT_TYPE_DRIFT',
      'HTML_STRUCTURE_DRIFT',
      'HTML_META_DRIFT',
    ],
  },
  {
    cause: "One side's configuration still names the other environment.",
    confidence: 0.9,
    signs: ['CROSS_ENV_LEAK'],
    explains: ['THIRD_PARTY_DRIFT'],
  },
  {
    cause: 'One side answers with an error page or a debug page.',
    confidence: 0.85,
    signs: ['ERROR_PAGE_DRIFT', 'INFO_EXPOSURE_DRIFT'],
    explains: [
      'STATUS_MISMATCH',
      'BODY_HASH_DRIFT',
      'CONTENT_LENGTH_DRIFT',
      'CONTENT_TYPE_DRIFT',
      'HTML_STRUCTURE_DRIFT',
      'HTML_META_DRIFT',
      'JSON_SHAPE_DRIFT',
      'ASSET_SET_DRIFT',
    ],
  },
  {
    cause: 'The two sides redirect by different rules.',
    confidence: 0.8,
    signs: [
      'REDIRECT_CHAIN_CHANGED',
      'REDIRECT_STATUS_DRIFT',
      'REDIRECT_LOOP',
      'FINAL_URL_MISMATCH',
      'HTTPS_ENFORCEMENT_DRIFT',
    ],
    explains: ['STATUS_MISMATCH'],
  },
  {
    cause: 'Different builds of the application are deployed.',
    confidence: 0.75,
    signs: ['BUILD_VERSION_DRIFT'],
    explains: [
      'ASSET_SET_DRIFT',
      'ASSET_BROKEN',
      'JSON_SHAPE_DRIFT',
      'JSON_VALUE_DRIFT',
      'JSON_ORDER_DRIFT',
      'HTML_STRUCTURE_DRIFT',
      'HTML_META_DRIFT',
      'BODY_HASH_DRIFT',
      'CONTENT_LENGTH_DRIFT',
      'SRI_DRIFT',
      'ROUTE_SET_DRIFT',
    ],
  },
  {
    cause: 'Only one side stands behind this CDN or proxy, whose own rules apply there.',
    confidence: 0.7,
    signs: ['EDGE_PATH_DRIFT'],
    explains: [
      'CACHE_HEADER_DRIFT',
      'CACHE_STATUS_DRIFT',
      'CACHE_TTL_DRIFT',
      'CONTENT_ENCODING_DRIFT',
      'PROTOCOL_DRIFT',
      'DNS_DRIFT',
      'SERVER_STACK_DRIFT',
      'TLS_CERT_DRIFT',
      'TLS_PROTOCOL_DRIFT',
      'VARY_DRIFT',
      'CF_CONTEXT_DRIFT',
      'UNKNOWN_DRIFT',
    ],
  },
  {
    cause: 'The TLS set-up of the two sides differs.',
    confidence: 0.8,
    signs: ['TLS_CERT_INVALID', 'TLS_CERT_EXPIRY', 'TLS_PROTOCOL_DRIFT', 'TLS_CERT_DRIFT', 'PROTOCOL_DRIFT'],
    explains: ['TLS_SAN_DRIFT'],
  },
];

/** What is left over, by category. */
export const CATEGORY_CAUSES: Readonly<Record<FindingCategory, string>> = {
  reliability: 'The runs themselves were not steady, or not alike.',
  routing: 'The two sides route requests differently.',
  auth: 'The two sides ask for different credentials.',
  security: 'The security headers, cookies or assets of the two sides are configured differently.',
  cors: 'The two sides allow different origins, methods or headers to browsers.',
  cache: 'The two sides tell caches different things.',
  content: 'The two sides serve different content: another build, other data or other feature switches.',
  timing: 'One side answers more slowly.',
  platform: 'The two sides run on different infrastructure.',
  tls: 'The TLS set-up of the two sides differs.',
  unknown: 'Headers differ that have no meaning of their own to us.',
};

export const CATEGORY_CONFIDENCE = 0.5;
