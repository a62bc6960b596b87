/** What `sonde/net` exports on every runtime. Other parts of Sonde import `index.ts`. */
export { ERROR_CODES, type ErrorCode, type ErrorDetails, SondeError } from '../errors.js';
export { type Address, parseAddress } from './address.js';
export { discardBody, readBody } from './body.js';
export { canonicalUrl } from './canonical-url.js';
export { createScriptedResolver, type ScriptedResolver } from './cases/scripted-resolver.js';
export { type AddressRefusal, classifyAddress } from './classify-address.js';
export type {
  ConnectionFacts,
  Egress,
  HopBody,
  HopRequest,
  HopResponse,
  HopTimings,
  PeerCertificate,
  RequestBody,
  Resolver,
  StreamedBytes,
} from './egress.js';
export { explainUrl, type UrlExplanation } from './explain-url.js';
export { createFetchEgress, type FetchEgressOptions } from './fetch/fetch-egress.js';
export type { OutboundRequest, OutboundResult, RedirectHop } from './follow-redirects.js';
export { cleanRequestHeaders, type HeaderList, type HeaderPair } from './headers.js';
export { hashParts, idempotencyKey, type KeyedWork } from './idempotency-key.js';
export { DEFAULT_LIMITS, type RequestLimits } from './limits.js';
export { type OutboundClient, outboundOver } from './outbound-client.js';
export {
  createPolicy,
  type Endpoint,
  type Policy,
  type PolicyOptions,
  type Target,
  type UrlVerdict,
} from './policy.js';
export { createRedactor, type Redactor, redactingLog } from './redact/index.js';
export type { Refusal, RefusalStep } from './refusal.js';
