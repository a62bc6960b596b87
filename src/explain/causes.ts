/**
 * A table of causes and the findings that they usually produce. A row applies if one of its `signs` is among the
 * findings; it then explains those and every finding in `explains`. Rows are tried in order, and a finding belongs to
 * the first row that matches it, so specific rows come before general ones.
 */
import type { FindingCode } from '../compare/index.js';

interface CauseRow {
  readonly cause: string;
  /** How likely the cause is if its signs occur; an estimate, not a measurement. */
  readonly confidence: number;
  readonly signs: readonly FindingCode[];
  readonly explains?: readonly FindingCode[];
}

/** What differs if one side returns another page. */
const OTHER_PAGE: readonly FindingCode[] = [
  'BODY_HASH_DRIFT',
  'CONTENT_LENGTH_DRIFT',
  'HTML_STRUCTURE_DRIFT',
  'HTML_META_DRIFT',
  'TEXT_LOST',
  'TEXT_DRIFT',
  'HEADINGS_LOST',
];

export const CAUSES: readonly CauseRow[] = [
  {
    cause: 'One side cannot be reached, so nothing else could be compared.',
    confidence: 0.95,
    signs: ['PROBE_FAILURE'],
    explains: ['TLS_CERT_INVALID', 'REDIRECT_LOOP', 'DNS_DRIFT', 'HTTPS_ENFORCEMENT_DRIFT'],
  },
  {
    cause: 'A bot filter or rate limit responded instead of the site.',
    confidence: 0.9,
    signs: ['PROBE_BLOCKED'],
    explains: [...OTHER_PAGE, 'STATUS_MISMATCH', 'RATE_LIMIT_DRIFT', 'CONTENT_TYPE_DRIFT'],
  },
  {
    cause: 'Only one side requires a login.',
    confidence: 0.9,
    signs: ['AUTH_GATE_DRIFT', 'AUTH_CHALLENGE_PRESENT'],
    explains: [
      ...OTHER_PAGE,
      'STATUS_MISMATCH',
      'AUTH_SCHEME_DRIFT',
      'FINAL_URL_MISMATCH',
      'REDIRECT_CHAIN_CHANGED',
      'CONTENT_TYPE_DRIFT',
    ],
  },
  {
    cause: "One side's configuration still names the other environment.",
    confidence: 0.9,
    signs: ['CROSS_ENV_LEAK'],
    explains: ['THIRD_PARTY_DRIFT'],
  },
  {
    cause: 'One side returns an error page or a debug page.',
    confidence: 0.85,
    signs: ['ERROR_PAGE_DRIFT', 'INFO_EXPOSURE_DRIFT'],
    explains: [...OTHER_PAGE, 'STATUS_MISMATCH', 'CONTENT_TYPE_DRIFT', 'JSON_SHAPE_DRIFT', 'ASSET_SET_DRIFT'],
  },
  {
    cause: 'The two sides have different redirect rules.',
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
      ...OTHER_PAGE,
      'ASSET_SET_DRIFT',
      'ASSET_BROKEN',
      'JSON_SHAPE_DRIFT',
      'JSON_VALUE_DRIFT',
      'JSON_ORDER_DRIFT',
      'SRI_DRIFT',
      'ROUTE_SET_DRIFT',
    ],
  },
  {
    cause: 'Only one side is behind this CDN or proxy, whose rules apply there.',
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
    cause: 'The TLS configuration of the two sides differs.',
    confidence: 0.8,
    signs: ['TLS_CERT_INVALID', 'TLS_CERT_EXPIRY', 'TLS_PROTOCOL_DRIFT', 'TLS_CERT_DRIFT', 'PROTOCOL_DRIFT'],
    explains: ['TLS_SAN_DRIFT'],
  },
];
