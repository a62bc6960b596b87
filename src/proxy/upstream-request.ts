/** Parses and validates a caller's request before anything is sent. */
import { SondeError } from '../errors.js';
import type { HeaderList, HeaderPair } from '../net/index.js';
import { tryUrl } from '../try-url.js';
import { requestHeaders } from './header-rules.js';
import { type OrphanPolicy, readOrphanPolicy } from './orphan-policy.js';
import type { ProxyDeps } from './proxy-deps.js';
import type { StreamedBody } from './streamed-body.js';
import { refuseUnsupported } from './unsupported-headers.js';

export interface ProxyCall {
  readonly tenant: string;
  readonly headers: HeaderList;
  header(name: string): string | null;
  /** A long body is streamed and can be read only once. */
  body(): Promise<Uint8Array | StreamedBody>;
  /** An absolute URL of this server for a path and query. */
  absolute(path: string): string;
  /** Aborted when the caller disconnects, if the host can detect it. */
  readonly signal?: AbortSignal;
}

export interface UpstreamRequest {
  readonly tenant: string;
  readonly url: URL;
  readonly route?: string;
  readonly method: string;
  readonly headers: readonly HeaderPair[];
  readonly body: Uint8Array | StreamedBody;
  /** Keeps the content coding, so that the body is stored as received. */
  readonly keepCoding?: boolean;
  readonly lifted: boolean;
  readonly orphan: OrphanPolicy;
  readonly key: string | null;
  /** How long the upstream may take to send its response head. */
  readonly headersMs: number;
  readonly caller: Pick<ProxyCall, 'signal'>;
}

const METHODS = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);
const KEY = /^[\x21-\x7e]{1,255}$/;

export async function readCreate(deps: ProxyDeps, call: ProxyCall): Promise<UpstreamRequest> {
  const text = call.header('upstream-url');
  if (!text)
    throw new SondeError(
      'MISSING_UPSTREAM_URL',
      'The header Upstream-URL is missing. Set it to the URL to call.',
    );
  const method = call.header('upstream-method');
  if (!method)
    throw new SondeError(
      'MISSING_UPSTREAM_METHOD',
      `The header Upstream-Method is missing. Set it to one of ${[...METHODS].join(', ')}.`,
    );
  if (!METHODS.has(method)) {
    throw new SondeError(
      'INVALID_UPSTREAM_METHOD',
      `Upstream-Method must be one of ${[...METHODS].join(', ')}.`,
    );
  }
  const allowed = deps.allowlist.match(text);
  if (!allowed) throw notListed(text);
  const authorization = call.header('upstream-authorization');
  refuseUnsupported(call, 'create');
  const common = readCommon(deps, call);
  // Own members come first: after a spread, each would cost Node 20 a microsecond.
  return {
    method,
    headers: requestHeaders(call.headers, authorization === null ? [] : [['authorization', authorization]]),
    body: await call.body(),
    ...allowed,
    ...common,
  };
}

/** Parses the headers that creates and inline requests share. */
export function readCommon(
  deps: ProxyDeps,
  call: ProxyCall,
): Pick<UpstreamRequest, 'tenant' | 'orphan' | 'key' | 'headersMs' | 'caller'> {
  const policy = call.header('orphan-policy');
  const key = call.header('idempotency-key');
  if (key !== null) checkKey(key);
  return {
    tenant: call.tenant,
    orphan: policy === null ? deps.settings.orphanPolicy : readOrphanPolicy(policy),
    key,
    headersMs: deps.settings.headersMs,
    caller: call,
  };
}

export function checkKey(key: string): void {
  if (KEY.test(key)) return;
  throw new SondeError(
    'INVALID_IDEMPOTENCY_KEY',
    'Idempotency-Key must have 1 to 255 visible ASCII characters.',
  );
}

/** The refusal of a URL that no pattern matches, with a pattern that would. */
function notListed(text: string): SondeError {
  const url = tryUrl(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    return notAllowed('Upstream-URL must be one http or https URL without credentials and blanks');
  return notAllowed(
    `no pattern in proxy.allow matches it. To allow it, start the server with --proxy-allow '${patternFor(url)}'`,
    { setting: 'proxy.allow' },
  );
}

/** The origin and the first segment of the path, if a shell reads it as one word. */
function patternFor({ origin, pathname }: URL): string {
  const [first = '', ...more] = pathname.slice(1).split('/');
  const segment = more.length > 0 && /^[\w.-]{1,64}$/.test(first) ? `/${first}` : '';
  return `${origin}${segment}/*`;
}

export function notAllowed(why: string, details: Readonly<Record<string, string>> = {}): SondeError {
  return new SondeError('UPSTREAM_NOT_ALLOWED', `Calling this upstream is not allowed: ${why}.`, { details });
}
