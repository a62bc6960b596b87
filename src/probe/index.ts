/** The public exports of `probe/`. */
export { createActiveProbe } from './active-probe.js';
export { normalizeText } from './body/normalize-text.js';
export type * from './body-facts.js';
export { BODY_FACT_LIMITS } from './body-facts.js';
export type * from './connection-facts.js';
export type * from './exchange-facts.js';
export {
  EXCHANGE_REQUESTS_MAX,
  FOREIGN_ORIGIN,
} from './exchanges/run-exchanges.js';
export { EXTENDED_HEADER_NAMES, isExtendedHeader } from './extended-headers.js';
export { type HarArchive, readHar } from './har/har-archive.js';
export { createHarProvider } from './har/har-provider.js';
export { HAR_LIMITS } from './har/har-scanner.js';
export { identifyEnvelope } from './identify-envelope.js';
export type { Inspector } from './inspector.js';
export { type ISignalProvider, type ProbeContext, SPACING_REQUEST } from './provider.js';
export { readEnvelope } from './read-envelope.js';
export type * from './signal-envelope.js';
export {
  CF_FIELDS,
  CORE_HEADER_NAMES,
  COVERAGE_SECTIONS,
  envelopeSchema,
  redirectHop,
  sideSchema,
} from './signal-envelope.js';
