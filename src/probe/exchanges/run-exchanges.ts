/**
 * Runs the additional exchanges of a `full` probe. All of them share one budget of requests and time; an exchange that
 * did not fit is missing, and the coverage shows it. They use the final URL and never follow a redirect. The side's
 * own headers are sent only to the origin they were given for.
 */
import { asSondeError, SondeError } from '../../errors.js';
import type { Mutable } from '../../mutable.js';
import {
  carriedAcrossOrigins,
  discardBody,
  type Egress,
  followRedirects,
  type HeaderList,
  type HopBody,
  type HopResponse,
  headerValues,
  type Target,
} from '../../net/index.js';
import { drainBody } from '../body/read-body-facts.js';
import type { Exchange, Exchanges, OriginExchange } from '../exchange-facts.js';
import type { Inspector } from '../inspector.js';
import type { ProbeRedactor } from '../probe-redactor.js';
import { readHeaderLines } from '../read-headers.js';
import { readRobots } from './robots.js';

/** All exchanges together; DNS and the TLS handshake count as requests. */
export const EXCHANGE_REQUESTS_MAX = 10;
export const EXCHANGE_TOTAL_MS = 10_000;
/** How many run concurrently. */
const LANES = 3;
const ROBOTS_BYTES = 200_000;
const DISCARDED_BYTES = 64 * 1024;
const DISCARD_MS = 300;

/** No site allows this origin: the name is reserved (RFC 6761) and cannot be registered. */
export const FOREIGN_ORIGIN = 'https://sonde-origin-check.example';
const PREFLIGHT = { method: 'POST', requestHeaders: 'authorization,content-type' } as const;

export interface ExchangeDeps {
  readonly egress: Egress;
  readonly inspector?: Inspector;
  readonly redactor: ProbeRedactor;
}

export interface ExchangeSubject {
  readonly requestedUrl: string;
  /** The URL that responded, or the one at which the probe failed. */
  readonly finalUrl: string;
  readonly headers: HeaderList;
  /** Absent if there was no response; then only DNS and TLS are examined. */
  readonly responseHeaders?: HeaderList;
  readonly corsOrigin?: string;
  readonly signal?: AbortSignal;
  readonly totalMs?: number;
}

type Draft = Mutable<Exchanges>;
type ExchangeStep = (run: ExchangeRun, draft: Draft) => Promise<void>;

export async function runExchanges(deps: ExchangeDeps, subject: ExchangeSubject): Promise<Exchanges> {
  const verdict = deps.egress.policy.judgeUrl(subject.finalUrl);
  const draft: Draft = { requests: 0, durationMs: 0 };
  if (!verdict.ok) return draft;
  const startedAt = performance.now();
  const run = new ExchangeRun(deps, subject, verdict.target);
  const steps = subject.responseHeaders ? [...WITH_RESPONSE, ...ALWAYS] : [...ALWAYS];
  const lane = async (): Promise<void> => {
    for (let step = steps.shift(); step; step = steps.shift()) await step(run, draft);
  };
  try {
    await Promise.all(Array.from({ length: LANES }, lane));
  } finally {
    run.end();
  }
  return { ...draft, requests: run.requests, durationMs: performance.now() - startedAt };
}

class ExchangeRun {
  requests = 0;
  readonly target: Target;
  readonly deps: ExchangeDeps;
  readonly subject: ExchangeSubject;
  readonly #deadline: number;
  #abort: AbortController | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #onAbort = (): void => this.#abort?.abort();

  constructor(deps: ExchangeDeps, subject: ExchangeSubject, target: Target) {
    this.deps = deps;
    this.subject = subject;
    this.target = target;
    this.#deadline = performance.now() + (subject.totalMs ?? EXCHANGE_TOTAL_MS);
  }

  /** For calls without their own deadline; created on first use, because requests do not need it. */
  get signal(): AbortSignal {
    if (!this.#abort) {
      this.#abort = new AbortController();
      this.#timer = setTimeout(this.#onAbort, this.#msLeft);
      this.subject.signal?.addEventListener('abort', this.#onAbort);
      if (this.#over) this.#onAbort();
    }
    return this.#abort.signal;
  }

  get #msLeft(): number {
    return this.#deadline - performance.now();
  }

  get #over(): boolean {
    return this.#msLeft <= 0 || this.subject.signal?.aborted === true;
  }

  /** Takes one request from the budget; false if no request or no time is left. */
  take(): boolean {
    if (this.requests >= EXCHANGE_REQUESTS_MAX || this.#over) return false;
    this.requests += 1;
    return true;
  }

  async send(
    request: { readonly method: string; readonly url?: string; readonly headers?: HeaderList },
    read?: (response: HopResponse) => Promise<void>,
  ): Promise<Exchange> {
    const url = request.url ?? this.target.url.href;
    const { signal } = this.subject;
    const result = await followRedirects(this.deps.egress, {
      url,
      method: request.method,
      headers: [...this.#headersFor(url), ...(request.headers ?? [])],
      maxRedirects: 0,
      limits: { totalMs: Math.max(1, this.#msLeft) },
      ...(signal && { signal }),
    });
    if (!result.ok) return this.failed(result.error);
    const { response } = result;
    const headers = readHeaderLines(response.headers, this.deps.redactor);
    if (read) await read(response);
    else await discardSoon(response.body);
    return { status: response.status, headers };
  }

  failed(thrown: unknown): Required<Pick<Exchange, 'error'>> {
    const error = this.#over
      ? new SondeError('timeout', 'there was no time left for this exchange')
      : asSondeError(thrown, 'fetch_error');
    return { error: { code: error.code, message: this.deps.redactor.text(error.message) } };
  }

  end(): void {
    clearTimeout(this.#timer);
    this.subject.signal?.removeEventListener('abort', this.#onAbort);
  }

  #headersFor(url: string): HeaderList {
    const { requestedUrl, headers } = this.subject;
    if (headers.length === 0) return headers;
    return new URL(url).origin === new URL(requestedUrl).origin ? headers : carriedAcrossOrigins(headers);
  }
}

const sendWithOrigin =
  (relation: OriginExchange['relation']): ExchangeStep =>
  async (run, draft) => {
    if (!run.take()) return;
    const origin = relation === 'own' ? ownOrigin(run) : FOREIGN_ORIGIN;
    const response = await run.send({ method: 'GET', headers: [['origin', origin]] });
    const known = [...(draft.origins ?? []), { origin, relation, ...response }];
    draft.origins = known.sort((a, b) => (a.relation < b.relation ? 1 : -1));
  };

const sendPreflight: ExchangeStep = async (run, draft) => {
  if (!run.take()) return;
  const origin = ownOrigin(run);
  const response = await run.send({
    method: 'OPTIONS',
    headers: [
      ['origin', origin],
      ['access-control-request-method', PREFLIGHT.method],
      ['access-control-request-headers', PREFLIGHT.requestHeaders],
    ],
  });
  draft.preflight = { origin, ...PREFLIGHT, ...response };
};

const sendHead: ExchangeStep = async (run, draft) => {
  if (run.take()) draft.head = await run.send({ method: 'HEAD' });
};

const sendOptions: ExchangeStep = async (run, draft) => {
  if (run.take()) draft.options = await run.send({ method: 'OPTIONS' });
};

const sendConditional: ExchangeStep = async (run, draft) => {
  const [etag] = headerValues(run.subject.responseHeaders ?? [], 'etag');
  const [lastModified] = headerValues(run.subject.responseHeaders ?? [], 'last-modified');
  const condition = etag ?? lastModified;
  if (condition === undefined || !run.take()) return;
  const validator = etag === undefined ? 'last-modified' : 'etag';
  const name = etag === undefined ? 'if-modified-since' : 'if-none-match';
  draft.conditional = { validator, ...(await run.send({ method: 'GET', headers: [[name, condition]] })) };
};

/** Only for default ports: with another port, the http URL may belong to a different service. */
const sendHttpVariant: ExchangeStep = async (run, draft) => {
  const url = new URL(run.subject.requestedUrl);
  if (url.protocol !== 'https:' || url.port !== '' || !run.take()) return;
  url.protocol = 'http:';
  const response = await run.send({ method: 'GET', url: url.href });
  draft.httpVariant = { url: run.deps.redactor.text(url.href), ...response };
};

const fetchRobots: ExchangeStep = async (run, draft) => {
  if (!run.take()) return;
  let text: string | undefined;
  const response = await run.send(
    { method: 'GET', url: new URL('/robots.txt', run.target.url).href },
    async (response) => {
      const { bytes, error } = await drainBody(response.body, ROBOTS_BYTES);
      const isText = !/html/i.test(headerValues(response.headers, 'content-type')[0] ?? '');
      if (response.status === 200 && isText && !error) text = new TextDecoder().decode(bytes);
    },
  );
  draft.robots = text === undefined ? response : { robots: readRobots(text, run.deps.redactor), ...response };
};

const lookUpDns: ExchangeStep = async (run, draft) => {
  const { inspector } = run.deps;
  // A literal or fixed address is reached without DNS records.
  if (!inspector || run.target.fixed || !run.take()) return;
  draft.dns = await inspector
    .dnsRecords(run.target, run.signal)
    .catch((thrown: unknown) => run.failed(thrown));
};

const inspectTls: ExchangeStep = async (run, draft) => {
  const { inspector } = run.deps;
  if (!inspector || !run.target.secure || !run.take()) return;
  draft.tls = await inspector
    .handshake(run.target, run.signal)
    .catch((thrown: unknown) => run.failed(thrown));
};

/** The body is not needed. A short one is read so that its socket can be reused; a slow one is canceled. */
async function discardSoon(body: HopBody): Promise<void> {
  const timer = setTimeout(() => body.cancel(), DISCARD_MS);
  await discardBody(body, DISCARDED_BYTES);
  clearTimeout(timer);
}

function ownOrigin(run: ExchangeRun): string {
  return run.subject.corsOrigin ?? run.target.url.origin;
}

const WITH_RESPONSE: readonly ExchangeStep[] = [
  sendPreflight,
  sendWithOrigin('own'),
  sendWithOrigin('foreign'),
  sendHead,
  sendOptions,
  sendConditional,
  sendHttpVariant,
  fetchRobots,
];
const ALWAYS: readonly ExchangeStep[] = [inspectTls, lookUpDns];
