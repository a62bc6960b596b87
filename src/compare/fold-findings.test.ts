import { expect, test } from 'vitest';
import type { Evidence, Finding } from './finding.js';
import { FINDING_CODES, type FindingCode } from './finding-codes.js';
import { foldFindings } from './fold-findings.js';

const CODES = Object.keys(FINDING_CODES) as FindingCode[];

function finding(code: FindingCode, over: Partial<Finding> = {}): Finding {
  return {
    id: `${code}:id`,
    code,
    category: FINDING_CODES[code],
    severity: 'warn',
    direction: 'changed',
    effect: 'change',
    stability: 'stable',
    status: 'new',
    message: code,
    left_value: 'a',
    right_value: 'b',
    evidence: [],
    recommendations: [],
    fingerprint: '',
    valueFingerprint: '',
    ruleVersion: 1,
    ...over,
  };
}

const evidence = (keys: readonly string[], section: Evidence['section'] = 'headers'): Evidence[] => [
  { section, keys, left: 'a', right: 'b' },
];

/** Whether the second finding is shown below the first, or not at all. */
function isBelow(cause: Finding, effect: Finding): boolean {
  const shown = foldFindings([effect, cause]).find(({ code }) => code === effect.code);
  return shown === undefined || shown.explainedBy === cause.id;
}

function codesBelow(cause: Finding, over: Partial<Finding> = {}): FindingCode[] {
  return CODES.filter((code) => code !== cause.code && isBelow(cause, finding(code, over)));
}

/** Findings that do not depend on the response that a status or a redirect leads to. */
const APART_FROM_RESPONSE: readonly FindingCode[] = [
  'PROBE_FAILURE',
  'FINAL_URL_MISMATCH',
  'REDIRECT_CHAIN_CHANGED',
  'CF_CONTEXT_DRIFT',
  'PROBE_FLAKY',
  'RUNNER_CONTEXT_DRIFT',
  'REDIRECT_STATUS_DRIFT',
  'REDIRECT_LOOP',
  'HTTPS_ENFORCEMENT_DRIFT',
  'CROSS_ENV_LEAK',
  'ROUTE_SET_DRIFT',
  'INFO_EXPOSURE_DRIFT',
  'CORS_PREFLIGHT_DRIFT',
  'CORS_REFLECTION',
  'PROTOCOL_DRIFT',
  'DNS_DRIFT',
  'TLS_CERT_INVALID',
  'TLS_CERT_EXPIRY',
  'TLS_CERT_DRIFT',
  'TLS_SAN_DRIFT',
  'TLS_PROTOCOL_DRIFT',
];

test('a challenge page explains everything read from the response, whatever its severity', () => {
  const below = codesBelow(finding('PROBE_BLOCKED', { severity: 'info' }));
  const rest = CODES.filter((code) => code !== 'PROBE_BLOCKED' && !APART_FROM_RESPONSE.includes(code));
  expect(below).toEqual(rest);
});

test.each<[string, Finding, readonly FindingCode[]]>([
  [
    'a status of a different class',
    finding('STATUS_MISMATCH', { left_value: 200, right_value: 500 }),
    [...APART_FROM_RESPONSE, 'PROBE_BLOCKED', 'AUTH_GATE_DRIFT'],
  ],
  [
    'a login page on one side',
    finding('AUTH_GATE_DRIFT', { severity: 'critical' }),
    [
      'PROBE_BLOCKED',
      ...APART_FROM_RESPONSE.filter(
        (code) => !['FINAL_URL_MISMATCH', 'REDIRECT_CHAIN_CHANGED', 'REDIRECT_STATUS_DRIFT'].includes(code),
      ),
    ],
  ],
  [
    'a redirect chain that ends elsewhere',
    finding('REDIRECT_CHAIN_CHANGED', { severity: 'critical', evidence: evidence(['host']) }),
    [
      'PROBE_BLOCKED',
      'AUTH_GATE_DRIFT',
      ...APART_FROM_RESPONSE.filter(
        (code) => !['FINAL_URL_MISMATCH', 'REDIRECT_STATUS_DRIFT'].includes(code),
      ),
    ],
  ],
  [
    'a different final URL',
    finding('FINAL_URL_MISMATCH', { severity: 'critical', evidence: evidence(['path']) }),
    ['PROBE_BLOCKED', 'AUTH_GATE_DRIFT', 'STATUS_MISMATCH', ...APART_FROM_RESPONSE],
  ],
])('%s explains what was read from the response and nothing else', (_name, cause, apart) => {
  expect(codesBelow(cause)).toEqual(CODES.filter((code) => code !== cause.code && !apart.includes(code)));
});

test.each<[string, Finding]>([
  ['a status of the same class', finding('STATUS_MISMATCH', { left_value: 200, right_value: 204 })],
  ['a final URL that differs in its query', finding('FINAL_URL_MISMATCH', { evidence: evidence(['query']) })],
])('%s explains only the digest and the size of the body', (_name, cause) => {
  expect(codesBelow(cause)).toEqual(['BODY_HASH_DRIFT', 'CONTENT_LENGTH_DRIFT']);
});

test('a response of a different type explains what was read from its body', () => {
  const apart = ['CONTENT_TYPE_DRIFT', 'CONTENT_ENCODING_DRIFT', 'CONTENT_LANGUAGE_DRIFT'];
  apart.push('ASSET_BROKEN', 'BUILD_VERSION_DRIFT', 'ERROR_PAGE_DRIFT');
  const body = CODES.filter((code) => FINDING_CODES[code] === 'content' && !apart.includes(code));
  expect(codesBelow(finding('CONTENT_TYPE_DRIFT'))).toEqual(body);
  expect(codesBelow(finding('JSON_SHAPE_DRIFT'))).toEqual(body.filter((code) => code !== 'JSON_SHAPE_DRIFT'));
  expect(codesBelow(finding('ERROR_PAGE_DRIFT', { severity: 'info' })).sort()).toEqual(
    [...body, 'CONTENT_TYPE_DRIFT'].sort(),
  );
});

const DIGESTS = ['BODY_HASH_DRIFT', 'CONTENT_LENGTH_DRIFT'] as const;

test.each<[FindingCode, Partial<Finding>, readonly FindingCode[]]>([
  ['TLS_CERT_INVALID', {}, ['PROBE_FAILURE', 'TLS_CERT_EXPIRY', 'TLS_CERT_DRIFT']],
  ['REDIRECT_LOOP', {}, ['PROBE_FAILURE', 'REDIRECT_CHAIN_CHANGED', 'HTTPS_ENFORCEMENT_DRIFT']],
  ['HTTPS_ENFORCEMENT_DRIFT', { evidence: evidence(['downgrade']) }, ['PROBE_FAILURE']],
  ['HTTPS_ENFORCEMENT_DRIFT', { evidence: evidence(['upgrade']) }, []],
  [
    'REDIRECT_CHAIN_CHANGED',
    { evidence: evidence(['hops']) },
    ['FINAL_URL_MISMATCH', 'REDIRECT_STATUS_DRIFT', ...DIGESTS],
  ],
  [
    'PROBE_FAILURE',
    {},
    ['FINAL_URL_MISMATCH', 'REDIRECT_CHAIN_CHANGED', 'DNS_DRIFT', 'TLS_CERT_DRIFT', 'TLS_SAN_DRIFT'],
  ],
  ['AUTH_SCHEME_DRIFT', {}, ['AUTH_CHALLENGE_PRESENT']],
  ['CACHE_SCOPE_DRIFT', {}, ['CACHE_HEADER_DRIFT', 'CACHE_TTL_DRIFT', 'CACHEABLE_COOKIE']],
  ['CACHE_TTL_DRIFT', {}, ['CACHE_HEADER_DRIFT']],
  ['CORS_REFLECTION', {}, ['CORS_HEADER_DRIFT', 'CORS_VARY_MISSING']],
  ['VARY_DRIFT', {}, ['CORS_VARY_MISSING']],
  ['CSP_WEAKENED', {}, ['CSP_DRIFT', 'SECURITY_GRADE_DRIFT']],
  ['HSTS_DRIFT', {}, ['SECURITY_GRADE_DRIFT']],
  ['COOKIE_FLAGS_DRIFT', {}, ['SECURITY_GRADE_DRIFT']],
  ['COOKIE_SET_DRIFT', {}, ['SECURITY_GRADE_DRIFT']],
  ['CORS_HEADER_DRIFT', {}, ['SECURITY_GRADE_DRIFT']],
  ['SECURITY_HEADER_DRIFT', {}, ['SECURITY_GRADE_DRIFT']],
  ['FRAME_POLICY_DRIFT', {}, ['CSP_DRIFT', 'SECURITY_GRADE_DRIFT']],
  ['MIXED_CONTENT_DRIFT', {}, [...DIGESTS, 'ASSET_SET_DRIFT']],
  ['SRI_DRIFT', {}, DIGESTS],
  ['BUILD_VERSION_DRIFT', { evidence: evidence(['x'], 'body') }, DIGESTS],
  ['BUILD_VERSION_DRIFT', { evidence: evidence(['x']) }, []],
  ['INFO_EXPOSURE_DRIFT', { evidence: evidence(['x']) }, []],
  ['INFO_EXPOSURE_DRIFT', { evidence: evidence(['x'], 'body') }, [...DIGESTS, 'TEXT_DRIFT']],
  ['CHARSET_DRIFT', {}, []],
  ['TEXT_LOST', {}, [...DIGESTS, 'TEXT_DRIFT', 'HEADINGS_LOST', 'HTML_STRUCTURE_DRIFT']],
  ['HEADINGS_LOST', {}, [...DIGESTS, 'TEXT_DRIFT']],
  ['HTML_STRUCTURE_DRIFT', {}, [...DIGESTS, 'TEXT_DRIFT', 'HEADINGS_LOST']],
  [
    'JSON_SHAPE_DRIFT',
    { evidence: evidence(['/a'], 'body') },
    [...DIGESTS, 'JSON_VALUE_DRIFT', 'JSON_ORDER_DRIFT'],
  ],
  ['JSON_ARRAY_EMPTIED', {}, [...DIGESTS, 'JSON_VALUE_DRIFT', 'JSON_LIST_SHRUNK']],
  ['JSON_LIST_SHRUNK', {}, [...DIGESTS, 'JSON_VALUE_DRIFT']],
  ['TIMING_DRIFT', {}, ['CF_CONTEXT_DRIFT', 'TIMING_PHASE_DRIFT', 'TIMING_VARIANCE_DRIFT']],
  ['BODY_HASH_DRIFT', {}, ['CONTENT_LENGTH_DRIFT']],
  ['CONTENT_LENGTH_DRIFT', { severity: 'critical' }, ['BODY_HASH_DRIFT']],
  [
    'CROSS_ENV_LEAK',
    { evidence: evidence(['left link'], 'body') },
    [...DIGESTS, 'UNKNOWN_DRIFT', 'JSON_VALUE_DRIFT', 'TEXT_DRIFT', 'HTML_META_DRIFT', 'ASSET_SET_DRIFT'],
  ],
  ['DNS_DRIFT', {}, []],
])('%s with %j explains what follows from it', (code, over, expected) => {
  expect(codesBelow(finding(code, over)).sort()).toEqual([...expected].sort());
});

test.each<[string, Finding, Finding, boolean]>([
  ['explains HSTS drift of its side', missing('strict-transport-security'), weaker('HSTS_DRIFT'), true],
  [
    'does not explain HSTS drift of the other side',
    missing('strict-transport-security'),
    weaker('HSTS_DRIFT', 'left_weaker'),
    false,
  ],
  ['explains no unrelated drift', missing('x-content-type-options'), weaker('HSTS_DRIFT'), false],
  ['explains a weaker policy of its side', missing('content-security-policy'), weaker('CSP_WEAKENED'), true],
  [
    'does not explain a weaker policy of the other side',
    missing('content-security-policy'),
    weaker('CSP_WEAKENED', 'left_weaker'),
    false,
  ],
  ['explains the grade', missing('x-content-type-options'), finding('SECURITY_GRADE_DRIFT'), true],
])('a missing header %s', (_name, cause, effect, expected) => {
  expect(isBelow(cause, effect)).toBe(expected);
});

test('a missing policy explains missing frame control, but no other missing header', () => {
  const policy = missing('content-security-policy');
  const others = ['frame-control', 'x-content-type-options'].map((name) => ({ ...missing(name), id: name }));
  const shown = foldFindings([policy, ...others]);
  expect(shown.map(({ explainedBy }) => explainedBy)).toEqual([undefined, policy.id, undefined]);
});

function missing(header: string): Finding {
  return finding('SECURITY_HEADER_MISSING', { direction: 'right_weaker', evidence: evidence([header]) });
}

function weaker(code: FindingCode, direction: Finding['direction'] = 'right_weaker'): Finding {
  return finding(code, { direction });
}

test.each<[string, Finding, Finding, boolean]>([
  [
    'a lifetime explains the headers that set it',
    finding('CACHE_TTL_DRIFT'),
    finding('CACHE_HEADER_DRIFT', { evidence: evidence(['cache-control', 'expires', 'pragma']) }),
    true,
  ],
  [
    'a lifetime explains no other header',
    finding('CACHE_TTL_DRIFT'),
    finding('CACHE_HEADER_DRIFT', { evidence: evidence(['cache-control', 'age']) }),
    false,
  ],
  [
    'framing explains the directive for it',
    finding('FRAME_POLICY_DRIFT'),
    finding('CSP_DRIFT', { evidence: evidence(['frame-ancestors']) }),
    true,
  ],
  [
    'framing explains no other directive',
    finding('FRAME_POLICY_DRIFT'),
    finding('CSP_DRIFT', { evidence: evidence(['script-src']) }),
    false,
  ],
  [
    'a leak explains the headers it names',
    finding('CROSS_ENV_LEAK', { evidence: evidence(['left x-a', 'right x-b']) }),
    finding('UNKNOWN_DRIFT', { evidence: evidence(['x-a', 'x-b']) }),
    true,
  ],
  [
    'a leak explains no other header',
    finding('CROSS_ENV_LEAK', { evidence: evidence(['left x-a']) }),
    finding('UNKNOWN_DRIFT', { evidence: evidence(['x-a', 'x-b']) }),
    false,
  ],
  [
    'a third party explains its assets',
    finding('THIRD_PARTY_DRIFT', { evidence: evidence(['a.test', 'b.test']) }),
    finding('ASSET_SET_DRIFT', { evidence: evidence(['//b.test/x.js', '//a.test/y.js'], 'body') }),
    true,
  ],
  [
    'a third party explains no other assets',
    finding('THIRD_PARTY_DRIFT', { evidence: evidence(['a.test']) }),
    finding('ASSET_SET_DRIFT', { evidence: evidence(['//a.test/y.js', '//a.test.evil/x.js'], 'body') }),
    false,
  ],
  [
    'an exposure explains text that the other side lost',
    finding('INFO_EXPOSURE_DRIFT', { direction: 'right_only', evidence: evidence(['x'], 'body') }),
    finding('TEXT_LOST', { direction: 'left_only' }),
    true,
  ],
  [
    'an exposure does not explain text that its own side lost',
    finding('INFO_EXPOSURE_DRIFT', { direction: 'right_only', evidence: evidence(['x'], 'body') }),
    finding('HEADINGS_LOST', { direction: 'right_only' }),
    false,
  ],
  [
    'lost text does not explain headings that the other side lost',
    finding('TEXT_LOST', { direction: 'left_only' }),
    finding('HEADINGS_LOST', { direction: 'right_only' }),
    false,
  ],
  [
    'lost text explains changed text of either side',
    finding('TEXT_LOST', { direction: 'left_only' }),
    finding('TEXT_DRIFT', { direction: 'right_only' }),
    true,
  ],
  [
    'an emptied list explains the fields that its items had',
    finding('JSON_ARRAY_EMPTIED'),
    finding('JSON_SHAPE_DRIFT', { evidence: evidence(['/a/0/b'], 'body') }),
    true,
  ],
  [
    'a reflected origin does not explain a missing Vary on the other side',
    finding('CORS_REFLECTION', { direction: 'left_weaker' }),
    finding('CORS_VARY_MISSING', { direction: 'right_weaker' }),
    false,
  ],
])('%s', (_name, cause, effect, expected) => {
  expect(isBelow(cause, effect)).toBe(expected);
});

test('a finding more severe than its cause is not explained by it', () => {
  const cause = finding('TIMING_DRIFT', { severity: 'warn' });
  expect(isBelow(cause, finding('TIMING_PHASE_DRIFT', { severity: 'critical' }))).toBe(false);
  expect(isBelow(cause, finding('TIMING_PHASE_DRIFT', { severity: 'info' }))).toBe(true);
});

test.each<Partial<Finding>>([{ stability: 'noisy' }, { status: 'known' }])(
  'a finding that does not count (%j) neither explains nor is explained',
  (over) => {
    expect(isBelow(finding('TIMING_DRIFT', over), finding('TIMING_PHASE_DRIFT'))).toBe(false);
    expect(isBelow(finding('TIMING_DRIFT'), finding('TIMING_PHASE_DRIFT', over))).toBe(false);
  },
);

test('effects of an explained finding are attributed to its own cause', () => {
  const status = finding('STATUS_MISMATCH', { left_value: 200, right_value: 500 });
  const shown = foldFindings([finding('CSP_DRIFT'), finding('CSP_WEAKENED'), status]);
  expect(shown.map(({ explainedBy }) => explainedBy)).toEqual([status.id, status.id, undefined]);
  const chain = [finding('TLS_CERT_INVALID'), finding('PROBE_FAILURE'), finding('DNS_DRIFT')];
  expect(foldFindings(chain).map(({ explainedBy }) => explainedBy)).toEqual([
    undefined,
    'TLS_CERT_INVALID:id',
    undefined,
  ]);
});

test('the size is shown if it is more severe than the finding that explains the bodies, the digest never', () => {
  const text = finding('TEXT_LOST', { severity: 'info' });
  const vague = [finding('CONTENT_LENGTH_DRIFT'), finding('BODY_HASH_DRIFT')];
  expect(foldFindings([text, ...vague]).map(({ code }) => code)).toEqual([
    'TEXT_LOST',
    'CONTENT_LENGTH_DRIFT',
  ]);
});

test.each<[FindingCode, readonly FindingCode[]]>([
  ['HTML_META_DRIFT', ['HTML_META_DRIFT', 'BODY_HASH_DRIFT']],
  ['JSON_VALUE_DRIFT', ['JSON_VALUE_DRIFT']],
  ['TEXT_DRIFT', ['TEXT_DRIFT']],
])('noise in %s explains the digest only if it is a value or text of the page', (code, shown) => {
  const noisy = finding(code, { stability: 'noisy' });
  expect(foldFindings([noisy, finding('BODY_HASH_DRIFT')]).map((each) => each.code)).toEqual(shown);
});
