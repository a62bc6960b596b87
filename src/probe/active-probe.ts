/**
 * The active provider: sends one request through the egress layer, follows its redirects, and records everything
 * worth comparing, redacted, in an envelope. It always returns an envelope: a refusal, an unreachable side and a
 * malformed header of the caller are all data.
 */
import { asSondeError, type SondeError } from '../errors.js';
import type { Turn } from '../loop-turns.js';
import type { Mutable } from '../mutable.js';
import {
  type ConnectionFacts,
  carriedAcrossOrigins,
  cleanRequestHeaders,
  type Egress,
  followRedirects,
  type HeaderList,
  type HopResponse,
  headerValues,
  type OutboundResult,
} from '../net/index.js';
import { BodyFactsMemory } from './body/body-facts-memory.js';
import { isEndless } from './body/media-kind.js';
import { type BytesHash, drainBody } from './body/read-body-facts.js';
import type { BodyFacts } from './body-facts.js';
import type { AddressFacts } from './connection-facts.js';
import { activeCoverage, type ProbeFacts } from './coverage.js';
import { AssetMemory, checkAssets } from './exchanges/check-assets.js';
import { runExchanges } from './exchanges/run-exchanges.js';
import type { Inspector } from './inspector.js';
import { probeErrorCode } from './probe-error-code.js';
import { ProbeRedactor } from './probe-redactor.js';
import { cfOf, type ISignalProvider, type ProbeContext } from './provider.js';
import { readCookies } from './read-cookies.js';
import { readHeaders } from './read-headers.js';
import {
  ENVELOPE_SCHEMA_VERSION,
  type HopFacts,
  type ProbeError,
  type ProbeResult,
  type RedirectHop,
  type RequestFacts,
  type SignalEnvelope,
} from './signal-envelope.js';

export const PROBE_TOTAL_MS = 10_000;
export const PROBE_REDIRECTS_MAX = 10;

export interface ActiveProbeDeps {
  readonly egress: Egress;
  /** Absent if the platform exposes neither DNS records nor TLS handshakes. */
  readonly inspector?: Inspector;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** `node`, `workers`. */
  readonly runner: string;
  readonly region?: string;
  readonly version?: string;
  readonly userAgent?: string;
  readonly totalMs?: number;
  readonly redirectsMax?: number;
  /** The platform's synchronous hash, if it has one. */
  readonly sha256?: BytesHash;
  /** Shared by everything that runs in one event loop; without it, a page is read in one go. */
  readonly turn?: Turn;
}

/** State shared by all probes with the same headers. */
interface SharedState {
  readonly redactor: ProbeRedactor;
  readonly bodies: BodyFactsMemory;
  readonly assets: AssetMemory;
}

export function createActiveProbe(deps: ActiveProbeDeps): ISignalProvider {
  const createState = (headers?: HeaderList): SharedState => ({
    redactor: new ProbeRedactor(headers),
    bodies: new BodyFactsMemory(deps.turn),
    assets: new AssetMemory(),
  });
  const plain = createState();
  const known = new WeakMap<HeaderList, SharedState>();
  const sharedFor = (headers: HeaderList): SharedState => {
    if (headers.length === 0) return plain;
    // The sent credentials are redacted from the facts, so facts are never shared with another side.
    const shared = known.get(headers) ?? createState(headers);
    known.set(headers, shared);
    return shared;
  };
  return {
    probe: (url, context = {}) => new ActiveProbe(deps, context, sharedFor(context.headers ?? [])).run(url),
  };
}

class ActiveProbe {
  readonly #deps: ActiveProbeDeps;
  readonly #context: ProbeContext;
  readonly #shared: SharedState;
  readonly #redactor: ProbeRedactor;
  readonly #capturedAtMs: number;
  readonly #hops: { readonly url: URL; readonly response: HopResponse }[] = [];

  constructor(deps: ActiveProbeDeps, context: ProbeContext, shared: SharedState) {
    this.#deps = deps;
    this.#context = context;
    this.#shared = shared;
    this.#redactor = shared.redactor;
    this.#capturedAtMs = deps.clock();
  }

  async run(url: string): Promise<SignalEnvelope> {
    try {
      const result = await this.#fetch(url);
      const body = result.ok ? await this.#readBody(result) : undefined;
      return await this.#envelope(url, result, body);
    } catch (thrown) {
      return this.#errorEnvelope(url, thrown);
    }
  }

  get #profile() {
    return this.#context.profile ?? 'core';
  }

  #fetch(url: string): Promise<OutboundResult> {
    const { signal, headers, body, redirectsMax } = this.#context;
    return followRedirects(this.#deps.egress, {
      url,
      method: this.#method,
      ...(body && { body }),
      headers: headers ?? [],
      maxRedirects: redirectsMax ?? this.#deps.redirectsMax ?? PROBE_REDIRECTS_MAX,
      limits: { totalMs: this.#deps.totalMs ?? PROBE_TOTAL_MS },
      onResponse: (hopUrl, response) => this.#hops.push({ url: hopUrl, response }),
      ...(signal && { signal }),
    });
  }

  /** Profile `core` keeps nothing of a body, so the body is not read. */
  async #readBody(result: OutboundResult & { readonly ok: true }): Promise<BodyFacts | undefined> {
    const { response, finalUrl } = result;
    const [contentType] = headerValues(response.headers, 'content-type');
    if (this.#profile === 'core' || isEndless(contentType)) {
      response.body.cancel();
      return undefined;
    }
    const drained = await drainBody(response.body);
    const hosts = [this.#hops[0]?.url.host ?? '', new URL(finalUrl).host].filter((host) => host !== '');
    const { sha256 } = this.#deps;
    return this.#shared.bodies.read(drained, {
      contentType,
      finalUrl,
      hosts,
      redactor: this.#redactor,
      ...(sha256 && { sha256 }),
    });
  }

  async #envelope(url: string, result: OutboundResult, body: BodyFacts | undefined): Promise<SignalEnvelope> {
    const cf = cfOf(this.#context);
    const hops = this.#hops.map(({ url: hopUrl, response }) => this.#hopFacts(hopUrl, response));
    const exchanges = this.#wantsExchanges ? await this.#exchanges(url, result) : undefined;
    const resources = this.#wantsExchanges ? await this.#resources(url, result, body) : undefined;
    const { phases, protocol, address, certificate } = (result.ok && hops.at(-1)) || {};
    const facts: ProbeFacts = {
      ...(cf && { cf }),
      result: this.#result(result, body),
      ...(phases && { phases }),
      ...(protocol && { protocol }),
      ...(address && { address }),
      ...(certificate && { certificate }),
      ...(body && { body }),
      ...(exchanges && { exchanges }),
      ...(resources && { resources }),
    };
    const reading = { redactor: this.#redactor, capturedAtMs: this.#capturedAtMs };
    const coverage = activeCoverage(facts, {
      profile: this.#profile,
      wantsExchanges: this.#wantsExchanges,
      hasInspector: this.#deps.inspector !== undefined,
      secure: result.finalUrl.startsWith('https:'),
    });
    return Object.assign(
      this.#head(url),
      facts,
      hops.length > 0 && { hops },
      this.#profile === 'full' && result.ok && { cookies: readCookies(result.response.headers, reading) },
      { coverage },
    );
  }

  get #wantsExchanges(): boolean {
    return this.#profile === 'full' && this.#method === 'GET' && (this.#context.exchanges ?? true);
  }

  get #method(): string {
    return this.#context.method ?? 'GET';
  }

  #exchanges(url: string, result: OutboundResult) {
    const { egress, inspector } = this.#deps;
    const { corsOrigin, signal, headers = [] } = this.#context;
    return runExchanges(
      { egress, redactor: this.#redactor, ...(inspector && { inspector }) },
      {
        requestedUrl: url,
        finalUrl: result.finalUrl,
        headers: cleanRequestHeaders(headers),
        ...(result.ok && { responseHeaders: result.response.headers }),
        ...(corsOrigin !== undefined && { corsOrigin }),
        ...(signal && { signal }),
      },
    );
  }

  /** Checks the assets of a page; undefined if the response is not a page. */
  async #resources(url: string, { finalUrl }: OutboundResult, body: BodyFacts | undefined) {
    if (!body?.html) return undefined;
    const { egress, clock } = this.#deps;
    const { signal, headers = [] } = this.#context;
    const clean = cleanRequestHeaders(headers);
    const sameOrigin = new URL(finalUrl).origin === new URL(url).origin;
    return checkAssets({
      egress,
      clock,
      memory: this.#shared.assets,
      pageUrl: finalUrl,
      assets: body.html.assets,
      headers: sameOrigin ? clean : carriedAcrossOrigins(clean),
      ...(signal && { signal }),
    });
  }

  #head(url: string) {
    const { runner, region, version, egress } = this.#deps;
    return {
      schemaVersion: ENVELOPE_SCHEMA_VERSION,
      comparisonId: 'unknown',
      probeId: 'unknown',
      side: 'left',
      requestedUrl: this.#redactor.text(url),
      capturedAt: new Date(this.#capturedAtMs).toISOString(),
      source: {
        kind: 'active',
        runner,
        ...(region !== undefined && { region }),
        ...(version !== undefined && { version }),
        assurance: egress.assurance,
      },
      request: this.#requestFacts(),
    } as const;
  }

  #requestFacts(): RequestFacts {
    const sent = (this.#context.headers ?? []).map(([name, value]) => [name.toLowerCase(), value] as const);
    const names = [...new Set(sent.map(([name]) => name))].sort();
    const headerOf = (name: string): string | undefined => sent.find(([each]) => each === name)?.[1];
    const userAgent = headerOf('user-agent') ?? this.#deps.userAgent;
    const language = headerOf('accept-language');
    const text = (value: string) => this.#redactor.text(value);
    return {
      method: this.#method,
      profile: this.#profile,
      headerNames: [...new Set([...names, 'accept', 'accept-encoding', 'user-agent'])].sort(),
      ...(names.length > 0 && { sideHeaderNames: names }),
      ...(userAgent !== undefined && { userAgent: text(userAgent) }),
      accept: text(headerOf('accept') ?? '*/*'),
      ...(language !== undefined && { acceptLanguage: text(language) }),
      hadCookies: names.includes('cookie'),
      hadAuthorization: names.includes('authorization'),
    };
  }

  #hopFacts(url: URL, response: HopResponse): HopFacts {
    const { connection } = response;
    const facts: Mutable<HopFacts> = { url: this.#redactor.text(url.href), status: response.status };
    // Plain http and TLS without ALPN mean HTTP/1.1.
    if (connection.address !== undefined) facts.protocol = connection.alpn ?? 'http/1.1';
    const address = addressOf(connection);
    if (address) facts.address = address;
    if (connection.tlsVersion !== undefined) facts.tlsVersion = connection.tlsVersion;
    if (connection.certificate) facts.certificate = connection.certificate;
    const { firstByte, ...timings } = response.timings();
    const phases = firstByte === undefined ? timings : { ttfb: firstByte, ...timings };
    if (Object.keys(phases).length > 0) facts.phases = phases;
    return facts;
  }

  #result(result: OutboundResult, body: BodyFacts | undefined): ProbeResult {
    const redirects = result.redirects.map((hop) => this.#hop(hop));
    const chain = { ...(redirects.length > 0 && { redirects }), durationMs: result.durationMs };
    if (!result.ok) return { ok: false, error: this.#error(result.error, result), ...chain };
    const { status, headers } = result.response;
    const [length] = headerValues(headers, 'content-length');
    const response = {
      status,
      finalUrl: this.#redactor.text(result.finalUrl),
      headers: readHeaders(headers, this.#profile, this.#redactor),
      ...(length !== undefined && /^\d{1,15}$/.test(length) && { contentLength: Number(length) }),
      ...(body?.sha256 !== undefined && { bodyHash: body.sha256 }),
    };
    return status < 400 ? { ok: true, response, ...chain } : { ok: false, response, ...chain };
  }

  #hop({ fromUrl, toUrl, status }: RedirectHop): RedirectHop {
    return { fromUrl: this.#redactor.text(fromUrl), toUrl: this.#redactor.text(toUrl), status };
  }

  #error(error: SondeError, at?: { readonly finalUrl: string }): ProbeError {
    const { phase, reason, rule, step } = error.details;
    const known = { phase, reason, rule, step };
    const details = Object.fromEntries(
      Object.entries(known).filter(([, value]) => typeof value === 'string'),
    );
    return {
      code: probeErrorCode(error),
      message: this.#redactor.text(error.message),
      details: {
        ...details,
        ...(at && { url: this.#redactor.text(at.finalUrl), hop: this.#hops.length }),
      },
    };
  }

  /** The envelope for a malformed header of the caller or an internal error. */
  #errorEnvelope(url: string, thrown: unknown): SignalEnvelope {
    const cf = cfOf(this.#context);
    const result: ProbeResult = {
      ok: false,
      error: this.#error(asSondeError(thrown)),
      durationMs: Math.max(0, this.#deps.clock() - this.#capturedAtMs),
    };
    return {
      ...this.#head(url),
      ...(cf && { cf }),
      result,
      coverage: { observed: ['outcome'] },
    };
  }
}

function addressOf({ address, port }: ConnectionFacts): AddressFacts | undefined {
  if (address === undefined || address === '') return undefined;
  return { ip: address, ...(port !== undefined && { port }), family: address.includes(':') ? 6 : 4 };
}
