/**
 * What the engine under test has and another cannot have, because its platform forbids it. Suites ask by name, so
 * that the list of differences can be read here; docs/decisions/0040-edge-objects.md argues each.
 */
export type Capability =
  /** A test's own clock; the edge has its platform's. */
  | 'manualTimers'
  /** Sees its peer's own address, and so can know a proxy of its own by it. */
  | 'trustProxy'
  /** Takes options in code that the table of settings refuses. */
  | 'optionsBesideSettings'
  /** Says whether an upstream reset its connection or closed it early. */
  | 'tellsReset'
  /** Breaks the connection of a response of unknown length. */
  | 'breaksLiveAnswers'
  /** Every header of an outbound request is ours. */
  | 'allHeadersOurs'
  /** Refuses malformed framing with a code; otherwise its platform's parser may return 500 before our code runs. */
  | 'refusesFramingByCode'
  /** Takes nothing but CR LF for the end of a header's line. */
  | 'linesEndInCrLf'
  /** Sends a long request body on while it comes in, and any length up to the limit; the edge has 16 MiB. */
  | 'streamsUploads'
  /** Reads on for a while after a refusal, so that the client gets to see it; workerd closes the connection. */
  | 'lingers'
  /** Passes bodies on with the coding that the upstream gave; the edge's platform undoes codings. */
  | 'keepsCodings'
  /** One process that can count for everyone. */
  | 'serverMetrics'
  /** Reads the trailers of a chunked body as such, and not as the next request on the connection. */
  | 'readsTrailers';

const EDGE: ReadonlySet<Capability> = new Set();

export const atEdge = process.env['SONDE_TEST_ENGINE'] === 'edge';

export function can(capability: Capability): boolean {
  return !atEdge || EDGE.has(capability);
}
