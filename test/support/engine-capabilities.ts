/**
 * What the engine under test can do and another cannot, because its platform forbids it. Suites check a capability by
 * name, so that this list shows all differences; docs/decisions/edge.md, 0040, has the reason for each.
 */
export type Capability =
  /** Accepts a clock from the test; the edge uses its platform's. */
  | 'manualTimers'
  /** Sees the address of its peer, and can therefore recognise a trusted proxy. */
  | 'trustProxy'
  /** Accepts options in code that the table of settings refuses. */
  | 'optionsBesideSettings'
  /** Reports whether an upstream reset its connection or closed it early. */
  | 'tellsReset'
  /** Knows that a connection was never established, so that nothing was sent. */
  | 'tellsUnsent'
  /** Breaks the connection of a response of unknown length. */
  | 'breaksLiveAnswers'
  /** Controls every header of an outbound request. */
  | 'allHeadersOurs'
  /** Refuses malformed framing with a code; otherwise its platform's parser may return 500 before our code runs. */
  | 'refusesFramingByCode'
  /** Accepts only CR LF as the end of a header line. */
  | 'linesEndInCrLf'
  /** Forwards a long request body while it arrives, of any length up to the limit; the edge is limited to 16 MiB. */
  | 'streamsUploads'
  /** Keeps reading for a while after a refusal, so that the client receives it; workerd closes the connection. */
  | 'lingers'
  /** Passes bodies on in the upstream's coding; the edge's platform decodes them. */
  | 'keepsCodings'
  /** Runs as one process that can count for all tenants. */
  | 'serverMetrics'
  /** Reads the trailers of a chunked body as trailers, not as the next request on the connection. */
  | 'readsTrailers';

const EDGE: ReadonlySet<Capability> = new Set();

export const atEdge = process.env['SONDE_TEST_ENGINE'] === 'edge';

export function can(capability: Capability): boolean {
  return !atEdge || EDGE.has(capability);
}
