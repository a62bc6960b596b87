/** The public exports of `probe/`. */
export {
  type ActiveProbeDeps,
  createActiveProbe,
  PROBE_REDIRECTS_MAX,
  PROBE_TOTAL_MS,
} from './active-probe.js';
export { normalizeText } from './body/normalize-text.js';
export type * from './body-facts.js';
export { BODY_FACT_LIMITS } from './body-facts.js';
export type * from './connection-facts.js';
export type * from './exchange-facts.js';
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
export { type ISignalProvider, type ProbeContext, SPACING_REQUEST } from './provider.js';
export { readEnvelope } from './read-envelope.js';
export type * from './signal-envelope.js';
export {
  CF_FIELDS,
  CORE_HEADER_NAMES,
  COVERAGE_SECTIONS,
  ENVELOPE_SCHEMA_VERSION,
  envelopeSchema,
  PROBE_ERROR_CODES,
  redirectHop,
  sideSchema,
} from './signal-envelope.js';
