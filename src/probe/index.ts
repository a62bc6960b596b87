/** The public exports of `probe/`. */
export {
  type ActiveProbeDeps,
  createActiveProbe,
  PROBE_REDIRECTS_MAX,
  PROBE_TOTAL_MS,
} from './active-probe.js';
export {
  BODY_FACT_LIMITS,
  type BodyFacts,
  type BodyKind,
  type BodyMarker,
  type HtmlAsset,
  type HtmlFacts,
  type HtmlForm,
  type HtmlHeading,
  type HtmlMeta,
  type JsonEntry,
  type JsonFacts,
  type JsonType,
  type OriginMention,
} from './body-facts.js';
export type { AddressFacts, CertificateFacts, Phases } from './connection-facts.js';
export type {
  DnsFacts,
  Exchange,
  Exchanges,
  OriginExchange,
  RobotsFacts,
  RobotsGroup,
  TlsExchange,
} from './exchange-facts.js';
export {
  EXCHANGE_REQUESTS_MAX,
  EXCHANGE_TOTAL_MS,
  FOREIGN_ORIGIN,
} from './exchanges/run-exchanges.js';
export { EXTENDED_HEADER_NAMES, isExtendedHeader } from './extended-headers.js';
export { type HarArchive, readHar } from './har/har-archive.js';
export { createHarProvider } from './har/har-provider.js';
export type { HarRecord } from './har/har-record.js';
export { HAR_LIMITS, type HarLimits } from './har/har-scanner.js';
export { type EnvelopeIdentity, identifyEnvelope, probeIdOf } from './identify-envelope.js';
export type { Inspector } from './inspector.js';
export type { ISignalProvider, ProbeContext } from './provider.js';
export { readEnvelope } from './read-envelope.js';
export {
  type CfContext,
  CORE_HEADER_NAMES,
  COVERAGE_SECTIONS,
  type CookieFacts,
  type CoreHeaderName,
  type Coverage,
  type CoverageGap,
  type CoverageSection,
  ENVELOPE_SCHEMA_VERSION,
  type EnvelopeSource,
  envelopeSchema,
  type HopFacts,
  PROBE_ERROR_CODES,
  type ProbeError,
  type ProbeErrorCode,
  type ProbeNetworkFailure,
  type ProbeProfile,
  type ProbeResponseError,
  type ProbeResult,
  type ProbeSuccess,
  type RedirectHop,
  type RequestFacts,
  type ResourceFacts,
  type ResponseHeaders,
  type ResponseMetadata,
  redirectHop,
  type Side,
  type SignalEnvelope,
} from './signal-envelope.js';
