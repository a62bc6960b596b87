/** Creates the outbound client of the edge: policy, resolver and egress. */
import {
  createFetchEgress,
  createPolicy,
  type OutboundClient,
  type OutboundPolicy,
  outboundOver,
  type Resolver,
  USER_AGENT_DEFAULT,
} from '../../../net/index.js';
import { decodedStream } from './decoded-stream.js';
import { createDohResolver } from './doh-resolver.js';

export const DOH_URL_DEFAULT = 'https://cloudflare-dns.com/dns-query';

export interface EdgeClientOptions extends Pick<OutboundPolicy, 'allowPrivate'> {
  /** The DNS-over-HTTPS resolver (JSON format) that is queried before each hop. */
  readonly dohUrl: string;
  readonly userAgent?: string;
  /** The platform's by default. */
  readonly fetch?: typeof globalThis.fetch;
  /** Answers name lookups instead of `dohUrl`. */
  readonly resolver?: Resolver;
}

/** Disables the platform's cache, so that every response is the site's. `cache: 'no-store'` would add headers. */
const UNCACHED: RequestInit = { cf: { cacheTtl: -1 } };

export function createEdgeClient(options: EdgeClientOptions): OutboundClient {
  const { dohUrl, allowPrivate = [], userAgent = USER_AGENT_DEFAULT, ...seams } = options;
  return outboundOver(
    createFetchEgress({
      policy: createPolicy({ allowPrivate }),
      resolver: seams.resolver ?? createDohResolver(dohUrl),
      userAgent,
      fetch: seams.fetch ?? fetch,
      init: UNCACHED,
      decode: decodedStream,
    }),
  );
}
