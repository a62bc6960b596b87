/** What `sonde/probe` exports on every runtime. */
export { createActiveProbe } from './active-probe.js';
export type * from './body-facts.js';
export type * from './connection-facts.js';
export type * from './exchange-facts.js';
export { type HarArchive, readHar } from './har/har-archive.js';
export { createHarProvider } from './har/har-provider.js';
export { identifyEnvelope, probeIdOf } from './identify-envelope.js';
export type { ISignalProvider, ProbeContext } from './provider.js';
export { readEnvelope } from './read-envelope.js';
export type * from './signal-envelope.js';
export { CORE_HEADER_NAMES, envelopeSchema, PROBE_ERROR_CODES } from './signal-envelope.js';
export { classifyFetchError, filterHeaders, resolveUrl, validateUrlSafety } from './single-steps.js';
