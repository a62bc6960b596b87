/**
 * Every rule, in the order in which they run. An explicit list, so that what runs can be read in one place and bundles
 * anywhere. Rules of the table come after those with their own file, and the rule that needs all claims comes last.
 */
import type { Rule } from '../rule.js';
import { assetBroken } from './asset-broken.js';
import { assetSetDrift } from './asset-set-drift.js';
import { authChallengePresent } from './auth-challenge-present.js';
import { authGateDrift } from './auth-gate-drift.js';
import { authSchemeDrift } from './auth-scheme-drift.js';
import { bodyHashDrift } from './body-hash-drift.js';
import { cacheHeaderDrift } from './cache-header-drift.js';
import { cacheScopeDrift } from './cache-scope-drift.js';
import { cacheStatusDrift } from './cache-status-drift.js';
import { cacheTtlDrift } from './cache-ttl-drift.js';
import { cacheableCookie } from './cacheable-cookie.js';
import { cfContextDrift } from './cf-context-drift.js';
import { charsetDrift } from './charset-drift.js';
import { contentEncodingDrift } from './content-encoding-drift.js';
import { contentLengthDrift } from './content-length-drift.js';
import { contentTypeDrift } from './content-type-drift.js';
import { cookieFlagsDrift } from './cookie-flags-drift.js';
import { cookieSetDrift } from './cookie-set-drift.js';
import { corsHeaderDrift } from './cors-header-drift.js';
import { corsPreflightDrift } from './cors-preflight-drift.js';
import { corsReflection } from './cors-reflection.js';
import { corsVaryMissing } from './cors-vary-missing.js';
import { crossEnvLeak } from './cross-env-leak.js';
import { cspDrift } from './csp-drift.js';
import { cspWeakened } from './csp-weakened.js';
import { dnsDrift } from './dns-drift.js';
import { edgePathDrift } from './edge-path-drift.js';
import { errorPageDrift } from './error-page-drift.js';
import { fieldDriftRules } from './field-drift-table.js';
import { finalUrlMismatch } from './final-url-mismatch.js';
import { framePolicyDrift } from './frame-policy-drift.js';
import { headingsLost } from './headings-lost.js';
import { hstsDrift } from './hsts-drift.js';
import { htmlMetaDrift } from './html-meta-drift.js';
import { htmlStructureDrift } from './html-structure-drift.js';
import { httpsEnforcementDrift } from './https-enforcement-drift.js';
import { indexabilityDrift } from './indexability-drift.js';
import { infoExposureDrift } from './info-exposure-drift.js';
import { jsonArrayEmptied } from './json-array-emptied.js';
import { jsonListShrunk } from './json-list-shrunk.js';
import { jsonOrderDrift } from './json-order-drift.js';
import { jsonShapeDrift } from './json-shape-drift.js';
import { jsonValueDrift } from './json-value-drift.js';
import { methodSupportDrift } from './method-support-drift.js';
import { mixedContentDrift } from './mixed-content-drift.js';
import { permissionsPolicyDrift } from './permissions-policy-drift.js';
import { probeBlocked } from './probe-blocked.js';
import { probeFailure } from './probe-failure.js';
import { probeFlaky } from './probe-flaky.js';
import { protocolDrift } from './protocol-drift.js';
import { rateLimitDrift } from './rate-limit-drift.js';
import { redirectChainChanged } from './redirect-chain-changed.js';
import { redirectLoop } from './redirect-loop.js';
import { redirectStatusDrift } from './redirect-status-drift.js';
import { routeSetDrift } from './route-set-drift.js';
import { runnerContextDrift } from './runner-context-drift.js';
import { securityGradeDrift } from './security-grade-drift.js';
import { securityHeaderDrift } from './security-header-drift.js';
import { securityHeaderMissing } from './security-header-missing.js';
import { sriDrift } from './sri-drift.js';
import { statusMismatch } from './status-mismatch.js';
import { textDrift } from './text-drift.js';
import { textLost } from './text-lost.js';
import { thirdPartyDrift } from './third-party-drift.js';
import { timingDrift } from './timing-drift.js';
import { timingPhaseDrift } from './timing-phase-drift.js';
import { timingVarianceDrift } from './timing-variance-drift.js';
import { tlsCertDrift } from './tls-cert-drift.js';
import { tlsCertExpiry } from './tls-cert-expiry.js';
import { tlsCertInvalid } from './tls-cert-invalid.js';
import { tlsProtocolDrift } from './tls-protocol-drift.js';
import { tlsSanDrift } from './tls-san-drift.js';
import { createUnknownDrift } from './unknown-drift.js';
import { validatorDrift } from './validator-drift.js';
import { varyDrift } from './vary-drift.js';

const JUDGING: readonly Rule[] = [
  probeFailure,
  probeFlaky,
  probeBlocked,
  runnerContextDrift,
  statusMismatch,
  finalUrlMismatch,
  redirectChainChanged,
  redirectStatusDrift,
  redirectLoop,
  httpsEnforcementDrift,
  crossEnvLeak,
  indexabilityDrift,
  methodSupportDrift,
  routeSetDrift,
  authChallengePresent,
  authGateDrift,
  authSchemeDrift,
  securityHeaderMissing,
  securityHeaderDrift,
  cspDrift,
  cspWeakened,
  hstsDrift,
  framePolicyDrift,
  permissionsPolicyDrift,
  cookieSetDrift,
  cookieFlagsDrift,
  sriDrift,
  mixedContentDrift,
  infoExposureDrift,
  securityGradeDrift,
  thirdPartyDrift,
  corsHeaderDrift,
  corsPreflightDrift,
  corsReflection,
  corsVaryMissing,
  cacheHeaderDrift,
  cacheScopeDrift,
  cacheTtlDrift,
  cacheStatusDrift,
  validatorDrift,
  varyDrift,
  cacheableCookie,
  contentTypeDrift,
  charsetDrift,
  contentEncodingDrift,
  contentLengthDrift,
  bodyHashDrift,
  jsonShapeDrift,
  jsonValueDrift,
  jsonOrderDrift,
  jsonArrayEmptied,
  jsonListShrunk,
  textLost,
  textDrift,
  headingsLost,
  htmlStructureDrift,
  htmlMetaDrift,
  assetSetDrift,
  assetBroken,
  errorPageDrift,
  timingDrift,
  timingPhaseDrift,
  timingVarianceDrift,
  cfContextDrift,
  protocolDrift,
  edgePathDrift,
  rateLimitDrift,
  dnsDrift,
  tlsCertInvalid,
  tlsCertExpiry,
  tlsCertDrift,
  tlsSanDrift,
  tlsProtocolDrift,
  ...fieldDriftRules,
];

const claims = JUDGING.flatMap((rule) => rule.claims ?? []);
const names = new Set(claims);
const prefixes = [...names].filter((claim) => claim.endsWith('*')).map((claim) => claim.slice(0, -1));

export function isClaimed(name: string): boolean {
  return names.has(name) || prefixes.some((prefix) => name.startsWith(prefix));
}

export const RULES: readonly Rule[] = [...JUDGING, createUnknownDrift(isClaimed)];
