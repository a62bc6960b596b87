/** The public exports of `net/`, for the other parts and for users of `sonde/net`. */
export { type Address, parseAddress } from './address.js';
export { fromBase64Url, toBase64Url } from './base64url.js';
export { concatBytes, discardBody, readBody } from './body.js';
export { canonicalUrl } from './canonical-url.js';
export { type EgressCase, readEgressCase } from './cases/egress-case.js';
export { type CaseVerdict, judgeEgressCase } from './cases/judge-egress-case.js';
export { createScriptedResolver } from './cases/scripted-resolver.js';
export { classifyAddress } from './classify-address.js';
export type {
  ConnectionFacts,
  Egress,
  HopBody,
  HopRequest,
  HopResponse,
  HopTimings,
  PeerCertificate,
  Resolver,
  StreamedBytes,
} from './egress.js';
export { explainUrl, type UrlExplanation } from './explain-url.js';
export { createFetchEgress } from './fetch/fetch-egress.js';
export { fetchFault } from './fetch/fetch-faults.js';
export { fetchWhole } from './fetch-whole.js';
export {
  followRedirects,
  type OutboundRequest,
  type OutboundResult,
  type RedirectHop,
} from './follow-redirects.js';
export {
  carriedAcrossOrigins,
  cleanRequestHeaders,
  connectionNames,
  type HeaderList,
  type HeaderPair,
  headerValues,
} from './headers.js';
export { hashParts, idempotencyKey } from './idempotency-key.js';
export { HEADER_BYTES_MAX, type RequestLimits } from './limits.js';
export { normalEscapes } from './normal-escapes.js';
export {
  type OutboundClient,
  type OutboundPolicy,
  outboundOver,
  USER_AGENT_DEFAULT,
} from './outbound-client.js';
export {
  createPolicy,
  type Policy,
  type Target,
} from './policy.js';
export { isBadPort } from './ports.js';
export { createRedactor, type Redactor, redactingLog } from './redact/index.js';
export { isRedirect } from './redirect-rules.js';
export { type Refusal, refusalError } from './refusal.js';
