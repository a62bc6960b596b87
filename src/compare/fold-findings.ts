/**
 * Nests findings under the one that explains them, so that each problem counts once: the headers of a 500 response
 * under the status, the grade under the header that lowers it. Only a finding that counts can explain others, and it
 * must be at least as severe as what it explains unless the row ignores severity.
 */
import type { Finding } from './finding.js';
import type { FindingCode } from './finding-codes.js';
import { counts } from './judge-verdict.js';
import { compareSeverity } from './severity.js';

const BODY_CODES: readonly FindingCode[] = [
  'CHARSET_DRIFT',
  'CONTENT_LENGTH_DRIFT',
  'BODY_HASH_DRIFT',
  'JSON_SHAPE_DRIFT',
  'JSON_VALUE_DRIFT',
  'JSON_ORDER_DRIFT',
  'JSON_ARRAY_EMPTIED',
  'JSON_LIST_SHRUNK',
  'TEXT_LOST',
  'TEXT_DRIFT',
  'HEADINGS_LOST',
  'HTML_STRUCTURE_DRIFT',
  'HTML_META_DRIFT',
  'ASSET_SET_DRIFT',
];

/** Everything read from the response that a status or a redirect leads to. */
const RESPONSE_CODES: readonly FindingCode[] = [
  ...BODY_CODES,
  'AUTH_CHALLENGE_PRESENT',
  'AUTH_SCHEME_DRIFT',
  'INDEXABILITY_DRIFT',
  'SECURITY_HEADER_MISSING',
  'SECURITY_HEADER_DRIFT',
  'CSP_DRIFT',
  'CSP_WEAKENED',
  'HSTS_DRIFT',
  'FRAME_POLICY_DRIFT',
  'CROSS_ORIGIN_POLICY_DRIFT',
  'PERMISSIONS_POLICY_DRIFT',
  'COOKIE_SET_DRIFT',
  'COOKIE_FLAGS_DRIFT',
  'SECURITY_GRADE_DRIFT',
  'SRI_DRIFT',
  'MIXED_CONTENT_DRIFT',
  'THIRD_PARTY_DRIFT',
  'CORS_HEADER_DRIFT',
  'CORS_VARY_MISSING',
  'CACHE_HEADER_DRIFT',
  'CACHE_SCOPE_DRIFT',
  'CACHE_TTL_DRIFT',
  'CACHE_STATUS_DRIFT',
  'VALIDATOR_DRIFT',
  'VARY_DRIFT',
  'CACHEABLE_COOKIE',
  'CONTENT_TYPE_DRIFT',
  'CONTENT_ENCODING_DRIFT',
  'CONTENT_LANGUAGE_DRIFT',
  'ASSET_BROKEN',
  'BUILD_VERSION_DRIFT',
  'ERROR_PAGE_DRIFT',
  'METHOD_SUPPORT_DRIFT',
  'RATE_LIMIT_DRIFT',
  'EDGE_PATH_DRIFT',
  'SERVER_STACK_DRIFT',
  'UNKNOWN_DRIFT',
  'TIMING_DRIFT',
  'TIMING_PHASE_DRIFT',
  'TIMING_VARIANCE_DRIFT',
];

interface FoldRow {
  readonly cause: FindingCode;
  /** Which findings of that code; all by default. */
  readonly when?: (cause: Finding) => boolean;
  readonly effects: readonly FindingCode[];
  /** Which of the effects; all by default. */
  readonly only?: (effect: Finding, cause: Finding) => boolean;
  /** Includes effects that are more severe than the cause, because they repeat it. */
  readonly anySeverity?: true;
}

const isKey =
  (...keys: readonly string[]) =>
  ({ evidence }: Finding) =>
    evidence.every((one) => one.keys.every((key) => keys.includes(key)));
const endsElsewhere = ({ evidence }: Finding) =>
  evidence.some(({ keys }) => keys.some((key) => key === 'end' || key === 'host' || key === 'path'));
const acrossClasses = ({ left_value, right_value }: Finding) =>
  Math.floor(Number(left_value) / 100) !== Math.floor(Number(right_value) / 100);
const sameDirection = (effect: Finding, cause: Finding) => effect.direction === cause.direction;

/** Whether a leak, whose keys begin with the side, names all headers of the finding. */
function namesHeadersOf({ evidence }: Finding, leak: Finding): boolean {
  const keys = leak.evidence.flatMap((one) => one.keys.map((key) => key.replace(/^(left|right) /, '')));
  return evidence.every((one) => one.keys.every((key) => keys.includes(key)));
}

const isOfBody = ({ evidence }: Finding) => evidence.some(({ section }) => section === 'body');

/** Whether every asset is on one of the hosts that the cause names. */
function sameHosts({ evidence }: Finding, cause: Finding): boolean {
  const hosts = cause.evidence.flatMap(({ keys }) => keys);
  return evidence.every(({ keys }) =>
    keys.every((key) => hosts.some((host) => key.startsWith(`//${host}/`))),
  );
}

/** Earlier rows win: a finding is explained only once. */
const ROWS: readonly FoldRow[] = [
  { cause: 'TLS_CERT_INVALID', effects: ['PROBE_FAILURE', 'TLS_CERT_EXPIRY', 'TLS_CERT_DRIFT'] },
  { cause: 'REDIRECT_LOOP', effects: ['PROBE_FAILURE', 'REDIRECT_CHAIN_CHANGED', 'HTTPS_ENFORCEMENT_DRIFT'] },
  { cause: 'HTTPS_ENFORCEMENT_DRIFT', when: isKey('downgrade'), effects: ['PROBE_FAILURE'] },
  {
    cause: 'PROBE_FAILURE',
    effects: ['DNS_DRIFT', 'REDIRECT_CHAIN_CHANGED', 'FINAL_URL_MISMATCH', 'TLS_CERT_DRIFT', 'TLS_SAN_DRIFT'],
  },
  {
    cause: 'PROBE_BLOCKED',
    effects: ['STATUS_MISMATCH', 'AUTH_GATE_DRIFT', ...RESPONSE_CODES],
    anySeverity: true,
  },
  {
    cause: 'AUTH_GATE_DRIFT',
    effects: [
      'STATUS_MISMATCH',
      'FINAL_URL_MISMATCH',
      'REDIRECT_CHAIN_CHANGED',
      'REDIRECT_STATUS_DRIFT',
      ...RESPONSE_CODES,
    ],
  },
  {
    cause: 'REDIRECT_CHAIN_CHANGED',
    when: endsElsewhere,
    effects: ['FINAL_URL_MISMATCH', 'REDIRECT_STATUS_DRIFT', 'STATUS_MISMATCH', ...RESPONSE_CODES],
  },
  { cause: 'REDIRECT_CHAIN_CHANGED', effects: ['REDIRECT_STATUS_DRIFT', 'FINAL_URL_MISMATCH'] },
  { cause: 'FINAL_URL_MISMATCH', when: endsElsewhere, effects: RESPONSE_CODES },
  { cause: 'STATUS_MISMATCH', when: acrossClasses, effects: RESPONSE_CODES, anySeverity: true },
  {
    cause: 'ERROR_PAGE_DRIFT',
    effects: [...BODY_CODES, 'CONTENT_TYPE_DRIFT'],
    anySeverity: true,
  },
  { cause: 'CONTENT_TYPE_DRIFT', effects: BODY_CODES },
  { cause: 'AUTH_SCHEME_DRIFT', effects: ['AUTH_CHALLENGE_PRESENT'], anySeverity: true },

  {
    cause: 'SECURITY_HEADER_MISSING',
    when: isKey('content-security-policy'),
    effects: ['CSP_WEAKENED', 'SECURITY_HEADER_MISSING'],
    only: (effect, cause) =>
      sameDirection(effect, cause) && (effect.code === 'CSP_WEAKENED' || isKey('frame-control')(effect)),
  },
  {
    cause: 'SECURITY_HEADER_MISSING',
    when: isKey('strict-transport-security'),
    effects: ['HSTS_DRIFT'],
    only: sameDirection,
  },
  { cause: 'CSP_WEAKENED', effects: ['CSP_DRIFT'], anySeverity: true },
  { cause: 'FRAME_POLICY_DRIFT', effects: ['CSP_DRIFT'], only: isKey('frame-ancestors'), anySeverity: true },
  ...(
    [
      'SECURITY_HEADER_MISSING',
      'CSP_WEAKENED',
      'HSTS_DRIFT',
      'COOKIE_FLAGS_DRIFT',
      'CORS_HEADER_DRIFT',
      'FRAME_POLICY_DRIFT',
      'SECURITY_HEADER_DRIFT',
      'COOKIE_SET_DRIFT',
    ] as const
  ).map((cause): FoldRow => ({ cause, effects: ['SECURITY_GRADE_DRIFT'], anySeverity: true })),

  {
    cause: 'CACHE_SCOPE_DRIFT',
    effects: ['CACHE_HEADER_DRIFT', 'CACHE_TTL_DRIFT', 'CACHEABLE_COOKIE'],
    anySeverity: true,
  },
  {
    cause: 'CACHE_TTL_DRIFT',
    effects: ['CACHE_HEADER_DRIFT'],
    only: isKey('cache-control', 'expires', 'pragma'),
    anySeverity: true,
  },
  { cause: 'CORS_REFLECTION', effects: ['CORS_VARY_MISSING', 'CORS_HEADER_DRIFT'], only: sameDirection },
  { cause: 'VARY_DRIFT', effects: ['CORS_VARY_MISSING'], only: sameDirection },
  {
    cause: 'CROSS_ENV_LEAK',
    effects: ['HTML_META_DRIFT', 'JSON_VALUE_DRIFT', 'ASSET_SET_DRIFT', 'TEXT_DRIFT', 'UNKNOWN_DRIFT'],
    only: (effect, cause) => effect.code !== 'UNKNOWN_DRIFT' || namesHeadersOf(effect, cause),
  },
  { cause: 'MIXED_CONTENT_DRIFT', effects: ['ASSET_SET_DRIFT'] },
  { cause: 'THIRD_PARTY_DRIFT', effects: ['ASSET_SET_DRIFT'], only: sameHosts },
  {
    cause: 'INFO_EXPOSURE_DRIFT',
    when: isOfBody,
    effects: ['TEXT_LOST', 'TEXT_DRIFT', 'HEADINGS_LOST'],
    only: (effect, cause) => effect.code === 'TEXT_DRIFT' || !sameDirection(effect, cause),
    anySeverity: true,
  },
  { cause: 'JSON_SHAPE_DRIFT', when: isKey(), effects: BODY_CODES },
  {
    cause: 'TEXT_LOST',
    effects: ['HEADINGS_LOST', 'TEXT_DRIFT', 'HTML_STRUCTURE_DRIFT'],
    only: sameDirection,
  },
  { cause: 'TEXT_LOST', effects: ['TEXT_DRIFT'] },
  { cause: 'HEADINGS_LOST', effects: ['TEXT_DRIFT'] },
  { cause: 'HTML_STRUCTURE_DRIFT', effects: ['TEXT_DRIFT', 'HEADINGS_LOST'], only: sameDirection },
  { cause: 'JSON_SHAPE_DRIFT', effects: ['JSON_ORDER_DRIFT', 'JSON_VALUE_DRIFT'] },
  { cause: 'JSON_ARRAY_EMPTIED', effects: ['JSON_LIST_SHRUNK', 'JSON_VALUE_DRIFT', 'JSON_SHAPE_DRIFT'] },
  { cause: 'JSON_LIST_SHRUNK', effects: ['JSON_VALUE_DRIFT'] },
  { cause: 'TIMING_DRIFT', effects: ['TIMING_PHASE_DRIFT', 'TIMING_VARIANCE_DRIFT', 'CF_CONTEXT_DRIFT'] },
  { cause: 'BODY_HASH_DRIFT', effects: ['CONTENT_LENGTH_DRIFT'] },
  { cause: 'CONTENT_LENGTH_DRIFT', effects: ['BODY_HASH_DRIFT'] },
];

/** Report only that something in the body differs; hidden if another finding of the same severity reports what. */
const VAGUE: ReadonlySet<FindingCode> = new Set(['BODY_HASH_DRIFT', 'CONTENT_LENGTH_DRIFT']);

export function foldFindings(findings: readonly Finding[]): readonly Finding[] {
  const causes = new Map<Finding, Finding>();
  for (const row of ROWS) {
    for (const cause of findings) {
      if (cause.code === row.cause && counts(cause) && !causes.has(cause) && (row.when?.(cause) ?? true)) {
        foldBelow(cause, row, { findings, causes });
      }
    }
  }
  const explained = findings.filter((finding) => !VAGUE.has(finding.code) && isAboutBody(finding));
  return findings
    .filter((finding) => !(VAGUE.has(finding.code) && isExplained(finding, explained)))
    .map((finding) => {
      const cause = causes.get(finding);
      return cause ? { ...finding, explainedBy: rootOf(cause, causes).id } : finding;
    });
}

function isExplained(vague: Finding, explained: readonly Finding[]): boolean {
  if (vague.code === 'BODY_HASH_DRIFT') return explained.length > 0;
  return explained.some(({ severity }) => compareSeverity(vague.severity, severity) <= 0);
}

interface Folding {
  readonly findings: readonly Finding[];
  readonly causes: Map<Finding, Finding>;
}

function foldBelow(
  cause: Finding,
  { effects, only, anySeverity }: FoldRow,
  { findings, causes }: Folding,
): void {
  for (const effect of findings) {
    if (effect === cause || causes.has(effect) || !counts(effect) || !effects.includes(effect.code)) continue;
    if (!anySeverity && compareSeverity(effect.severity, cause.severity) > 0) continue;
    if (only?.(effect, cause) ?? true) causes.set(effect, cause);
  }
}

/** If the cause is itself explained, its effects belong to its own cause. */
function rootOf(cause: Finding, causes: ReadonlyMap<Finding, Finding>): Finding {
  let root = cause;
  for (let above = causes.get(root); above; above = causes.get(root)) root = above;
  return root;
}

const ABOUT_BODY: ReadonlySet<FindingCode> = new Set([
  ...BODY_CODES,
  'STATUS_MISMATCH',
  'AUTH_GATE_DRIFT',
  'ERROR_PAGE_DRIFT',
  'CONTENT_TYPE_DRIFT',
  'INFO_EXPOSURE_DRIFT',
  'MIXED_CONTENT_DRIFT',
  'SRI_DRIFT',
  'THIRD_PARTY_DRIFT',
  'BUILD_VERSION_DRIFT',
  'REDIRECT_CHAIN_CHANGED',
  'FINAL_URL_MISMATCH',
]);

/** Whether this finding explains why the bodies differ. A finding about a header alone does not. */
function isAboutBody(finding: Finding): boolean {
  const { code, stability } = finding;
  if (stability === 'noisy' && code !== 'JSON_VALUE_DRIFT' && code !== 'TEXT_DRIFT') return false;
  if (code === 'CROSS_ENV_LEAK' || code === 'INFO_EXPOSURE_DRIFT' || code === 'BUILD_VERSION_DRIFT') {
    return isOfBody(finding);
  }
  return ABOUT_BODY.has(code) && code !== 'CHARSET_DRIFT';
}
