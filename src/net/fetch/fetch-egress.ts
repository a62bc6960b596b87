/**
 * The egress port over `fetch`, as on Workers. Before each hop it applies the policy and resolves the name; then it
 * fetches without redirects. The platform resolves the name again when it connects, so the assurance is `checked`: only
 * the platform can stop a rebind in between. Details that the platform hides (addresses, TLS, wire bytes) are omitted.
 */
import { SondeError } from '../../errors.js';
import type { Egress, HopRequest, HopResponse, Resolver } from '../egress.js';
import type { HeaderList } from '../headers.js';
import { HEADER_BYTES_MAX } from '../limits.js';
import type { Policy } from '../policy.js';
import { refusalError } from '../refusal.js';
import { Deadlines } from './deadlines.js';
import { FetchBody } from './fetch-body.js';

type Bytes = ReadableStream<Uint8Array>;

export interface FetchEgressOptions {
  readonly policy: Policy;
  readonly resolver: Resolver;
  readonly userAgent: string;
  readonly fetch: typeof globalThis.fetch;
  /** Added to the options of every request. */
  readonly init?: RequestInit;
  /** Decodes the content codings that `fetch` does not. */
  readonly decode?: (headers: HeaderList, body: Bytes | null) => Bytes | null;
}

export function createFetchEgress(options: FetchEgressOptions): Egress {
  return {
    assurance: 'checked',
    policy: options.policy,
    send: (request) => send(options, request),
    close: async () => {},
  };
}

async function send(options: FetchEgressOptions, request: HopRequest): Promise<HopResponse> {
  const startedAt = Date.now();
  const deadlines = new Deadlines(request.limits, request.signal);
  try {
    const dns = await judge(options, request, deadlines.signal);
    // Workers refuse to call `fetch` as a method of another object.
    const { fetch, init, decode } = options;
    const response = await fetch(request.target.url, {
      ...init,
      method: request.method,
      headers: headersOf(request.headers, options.userAgent),
      redirect: 'manual',
      signal: deadlines.signal,
      ...bodyOf(request.body),
    });
    const headers = [...response.headers] as unknown as HeaderList;
    refuseLongHead(headers);
    refusePlatformError(response);
    const firstByte = Date.now() - startedAt;
    deadlines.headReceived();
    const body = new FetchBody(decode ? decode(headers, response.body) : response.body, {
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
  { policy, resolver }: FetchEgressOptions,
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

function bodyOf(body: HopRequest['body']): RequestInit {
  if (body === undefined) return {};
  if (body instanceof Uint8Array) return { body: body as Uint8Array<ArrayBuffer> };
  const pieces = body[Symbol.asyncIterator]();
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await pieces.next();
      if (next.done) controller.close();
      else controller.enqueue(next.value);
    },
    async cancel() {
      await pieces.return?.();
    },
  });
  // Node requires `duplex` for a stream.
  return { body: stream, duplex: 'half' } as RequestInit;
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
