/**
 * The egress port at the edge. Before each hop it applies the policy and resolves the name by DNS over HTTPS; then it
 * uses the platform's `fetch` without redirects. The platform resolves the name again when it connects, so the
 * assurance is `checked`: only the platform can stop a rebind in between. Details that the platform hides (addresses,
 * TLS, wire bytes) are omitted.
 */
import { SondeError } from '../../../errors.js';
import {
  type Egress,
  HEADER_BYTES_MAX,
  type HeaderList,
  type HopRequest,
  type HopResponse,
  type Policy,
  type Resolver,
  refusalError,
} from '../../../net/index.js';
import { Deadlines } from './deadlines.js';
import { decodedStream } from './decoded-stream.js';
import { EdgeBody } from './edge-body.js';

export interface EdgeEgressOptions {
  readonly policy: Policy;
  readonly resolver: Resolver;
  readonly userAgent: string;
}

export function createEdgeEgress(options: EdgeEgressOptions): Egress {
  return {
    assurance: 'checked',
    policy: options.policy,
    send: (request) => send(options, request),
    close: async () => {},
  };
}

async function send(options: EdgeEgressOptions, request: HopRequest): Promise<HopResponse> {
  const startedAt = Date.now();
  const deadlines = new Deadlines(request.limits, request.signal);
  try {
    const dns = await judge(options, request, deadlines.signal);
    const response = await fetch(request.target.url, {
      method: request.method,
      headers: headersOf(request.headers, options.userAgent),
      redirect: 'manual',
      // Disables the platform's cache, so that every response is the site's. `cache: 'no-store'` would add headers.
      cf: { cacheTtl: -1 },
      signal: deadlines.signal,
      ...(request.body !== undefined && { body: bodyOf(request.body) }),
    });
    const headers = [...response.headers] as unknown as HeaderList;
    refuseLongHead(headers);
    refusePlatformError(response);
    const firstByte = Date.now() - startedAt;
    deadlines.headReceived();
    const body = new EdgeBody(decodedStream(headers, response.body), {
      deadlines,
      bytesMax: request.limits.bodyBytes,
    });
    return {
      status: response.status,
      headers,
      body,
      connection: {},
      timings: () => ({ ...(dns !== undefined && { dns }), firstByte, ...body.timings() }),
    };
  } catch (error) {
    throw deadlines.errorFor(error);
  }
}

/** Returns the milliseconds that DNS took, if it was queried. */
async function judge(
  { policy, resolver }: EdgeEgressOptions,
  { target }: HopRequest,
  signal: AbortSignal,
): Promise<number | undefined> {
  const startedAt = Date.now();
  const addresses = target.fixed ? [target.fixed.address] : await resolver.resolve(target, signal);
  const refusal = policy.judgeResponse(target, addresses);
  if (refusal) throw refusalError(refusal);
  return target.fixed ? undefined : Date.now() - startedAt;
}

function headersOf(given: HeaderList, userAgent: string): Headers {
  const headers = new Headers();
  for (const [name, value] of given) headers.append(name, value);
  if (!headers.has('user-agent')) headers.set('user-agent', userAgent);
  if (!headers.has('accept')) headers.set('accept', '*/*');
  return headers;
}

function bodyOf(body: NonNullable<HopRequest['body']>): Uint8Array | ReadableStream<Uint8Array> {
  if (body instanceof Uint8Array) return body;
  const pieces = body[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await pieces.next();
      if (next.done) controller.close();
      else controller.enqueue(next.value);
    },
    async cancel() {
      await pieces.return?.();
    },
  });
}

/** Statuses with which Cloudflare responds if it cannot reach a site; 530 means that the name has no address. */
const PLATFORM_STATUSES: ReadonlySet<number> = new Set([520, 521, 522, 523, 524, 525, 526, 527, 530]);

/** A failed connection is not a response of the site, although the platform presents it as one. */
function refusePlatformError({ status, headers, body }: Response): void {
  if (!PLATFORM_STATUSES.has(status) || headers.get('server')?.toLowerCase() !== 'cloudflare') return;
  body?.cancel().catch(() => {
    // The response is discarded either way.
  });
  throw new SondeError('fetch_error', `the site could not be reached: Cloudflare responded with ${status}`, {
    details: { status },
  });
}

/** The platform accepts response heads of any length. */
function refuseLongHead(headers: HeaderList): void {
  const bytes = headers.reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0);
  if (bytes <= HEADER_BYTES_MAX) return;
  throw new SondeError('header_too_large', `the response head is larger than ${HEADER_BYTES_MAX} bytes`, {
    details: { max: HEADER_BYTES_MAX },
  });
}
