/**
 * The door: what every request passes on its way to its operation, in this order. Match, caller, rate limit, upgrade and
 * body limits, access, input, `run`; then the headers that every response has. It decides by the facts of the operation
 * and by nothing else.
 */
import { type ErrorCode, SondeError } from '../errors.js';
import { joinHeaders } from '../join-headers.js';
import type { Log } from '../log.js';
import { untransformed } from '../no-transform.js';
import { admit, type Identity, type Principal } from './access.js';
import type { Arrived } from './arrived.js';
import { Call } from './call.js';
import { createCorsHeaders, exposedOf, preflightHeaders } from './cors.js';
import { createMatcher, type Found, type MatchedOperation, type Route } from './match.js';
import type { BoundOperation, Facts } from './operation.js';
import {
  clientAddressOf,
  createPublicOrigins,
  type OriginSettings,
  type PublicOrigin,
} from './public-origin.js';
import type { RateLimiter } from './rate-limit.js';
import { bodyTooLarge, declaredLength, refuseGetBody, refuseUpgrade, requestIdOf } from './refusals.js';
import {
  errorBody,
  errorReply,
  errorReplyHeaders,
  internalError,
  type Reply,
  type SentReply,
} from './reply.js';
import { methodLabel, type RequestMeter } from './request-meter.js';
import { hasTracer, inSpan } from './request-span.js';
import { NO_PAGE_HEADERS, SECURITY_HEADERS } from './security-headers.js';

/** What identifies a caller. */
export interface Presented {
  readonly method: string;
  readonly urlHost: string;
  readonly headers: { get(name: string): string | null };
  readonly bearer: string | undefined;
  /** Where the request should carry its credential, completing "Send a token …". */
  readonly form?: string | undefined;
  readonly ownOrigins: readonly string[];
  /** Whether the request may be a link to a page. */
  readonly page: boolean;
}

export interface BodyLimits {
  readonly bodyBytesMax: number;
  /** The limit for requests that are sent upstream. */
  readonly proxyBodyBytesMax?: number;
}

/** Finds the credential of a request to a path with these facts. */
export type FindCredential = (
  arrived: Arrived,
  credential: Facts['credential'],
  values: readonly string[],
) => Pick<Presented, 'bearer' | 'form'>;

export interface DoorDeps extends OriginSettings {
  readonly authenticator: { authenticate(request: Presented): Promise<Principal> };
  readonly findCredential: FindCredential;
  readonly rateLimiter: RateLimiter;
  readonly limits: BodyLimits;
  readonly meter: RequestMeter;
  readonly clock: () => number;
  readonly log: Log;
  readonly corsOrigins: readonly string[];
  /** Runs an operation that sends requests on behalf of its tenant; absent if that makes no difference. */
  readonly demo?: { actAs<T>(tenant: string | null, work: () => Promise<T>): Promise<T> };
}

/** Undefined if no operation has this path. */
export type Door = (arrived: Arrived) => Promise<SentReply> | undefined;

const NO_HEADERS: Readonly<Record<string, string>> = {};
const POLICY = 'Content-Security-Policy';
const FULL_HEADERS = { ...NO_PAGE_HEADERS, ...SECURITY_HEADERS };

/** A request on its way, and what its response will need. */
interface Visit extends Found {
  readonly arrived: Arrived;
  readonly requestId: string;
  rate: Readonly<Record<string, string>>;
}

export function openDoor(operations: readonly BoundOperation[], deps: DoorDeps): Door {
  const match = createMatcher(operations);
  const door = new OpenDoor(deps);
  return (arrived) => {
    const found = match(arrived.path);
    return found && door.respond(arrived, found);
  };
}

class OpenDoor {
  readonly #deps: DoorDeps;
  readonly #originOf: (arrived: Arrived) => PublicOrigin;
  readonly #corsHeaders: (origin: string | null) => Record<string, string>;

  constructor(deps: DoorDeps) {
    this.#deps = deps;
    this.#originOf = createPublicOrigins(deps);
    this.#corsHeaders = createCorsHeaders(deps.corsOrigins);
  }

  async respond(arrived: Arrived, { route, values }: Found): Promise<SentReply> {
    const { clock, meter, log } = this.#deps;
    const startedAt = clock();
    meter.started();
    const requestId = requestIdOf(arrived.header('x-request-id'));
    const visit: Visit = { arrived, route, values, requestId, rate: NO_HEADERS };
    const reply = await (hasTracer() ? this.#answerInSpan(visit) : this.#answer(visit));
    const { method } = arrived;
    const { status, error } = reply;
    const seconds = (clock() - startedAt) / 1000;
    meter.ended({ method, route: route.label, status, seconds });
    const ms = Math.round(seconds * 1000);
    const line = { requestId, method: methodLabel(method), route: route.label, status, ms };
    if (error && status >= 500) log.warn('request', line);
    else log.debug('request', line);
    if (error && status === 500)
      log.error('request failed', { code: error.code, requestId, err: error.cause ?? error });
    return this.#complete(visit, reply);
  }

  #answerInSpan(visit: Visit): Promise<Reply> {
    const { arrived, route, requestId } = visit;
    return inSpan(arrived, { requestId, route: route.label }, () => this.#answer(visit));
  }

  async #answer(visit: Visit): Promise<Reply> {
    const { arrived, route, values, requestId } = visit;
    const { method } = arrived;
    const header = (name: string) => arrived.header(name);
    try {
      if (method === 'OPTIONS') return preflight(visit);
      const origin = this.#originOf(arrived);
      const identity = await this.#identify(visit, origin);
      const operation = route.operations.get(method);
      if (isCounted(operation?.facts.rate, identity)) this.#count(visit, identity);
      refuseUpgrade(header);
      refuseGetBody(method, header);
      const bytesMax = this.#limitOf(operation);
      const declared = declaredLength(header);
      // Also refuses what is not a number.
      if (declared !== undefined && !(declared <= bytesMax)) throw bodyTooLarge(bytesMax);
      if (!operation) return methodNotAllowed(route);
      const { facts, names } = operation;
      admit(facts.access, identity);
      const call = new Call({ arrived, facts, names, values, identity, origin, requestId, bytesMax });
      const { demo } = this.#deps;
      if (!facts.sends || !demo) return await operation.run(call);
      return await demo.actAs(identity.principal?.tenant ?? null, () => operation.run(call));
    } catch (thrown) {
      return errorReply(thrown instanceof SondeError ? thrown : internalError(thrown, requestId));
    }
  }

  /** Only a refused origin ends the request here; whether a caller is needed depends on the operation. */
  async #identify({ arrived, route, values }: Visit, { ownOrigins }: PublicOrigin): Promise<Identity> {
    const { authenticator, findCredential } = this.#deps;
    const { bearer, form } = findCredential(arrived, route.facts.credential, values);
    try {
      const principal = await authenticator.authenticate({
        method: arrived.method,
        urlHost: arrived.authority,
        headers: { get: (name) => arrived.header(name) },
        bearer,
        form,
        ownOrigins,
        page: route.facts.page === true,
      });
      return { principal };
    } catch (fault) {
      if (fault instanceof SondeError && fault.code === 'ORIGIN_REFUSED') throw fault;
      return { fault };
    }
  }

  #count(visit: Visit, { principal }: Identity): void {
    const { arrived } = visit;
    const header = (name: string) => arrived.header(name) ?? undefined;
    const address = clientAddressOf({ peerAddress: arrived.peerAddress, header }, this.#deps);
    const { headers, refusal } = this.#deps.rateLimiter.take({ principal, address });
    visit.rate = headers;
    if (refusal) throw refusal;
  }

  #limitOf(operation: MatchedOperation | undefined): number {
    const { bodyBytesMax, proxyBodyBytesMax = bodyBytesMax } = this.#deps.limits;
    return operation?.facts.body === 'upstream' ? proxyBodyBytesMax : bodyBytesMax;
  }

  /** Adds the headers that every response has. */
  #complete({ arrived, requestId, rate }: Visit, { status, headers, body, error }: Reply): SentReply {
    const { method } = arrived;
    const own = error ? joinHeaders(headers, errorReplyHeaders(error), rate) : withRate(headers, rate);
    const all = joinHeaders(own, FULL_HEADERS, this.#corsHeaders(arrived.header('origin')));
    // A page has its own policy, and an upstream's response keeps the id that the upstream gave it.
    if (own[POLICY] !== undefined) all[POLICY] = own[POLICY];
    if (own['x-request-id'] === undefined) all['X-Request-Id'] = requestId;
    if (own['Vary'] !== undefined && own['Vary'] !== all['Vary'])
      all['Vary'] = `${own['Vary']}, ${all['Vary']}`;
    if (method !== 'OPTIONS') all['Access-Control-Expose-Headers'] = exposedOf(Object.keys(own));
    if (body?.kind === 'json') all['Content-Type'] ??= 'application/json';
    if (method === 'HEAD') return { status, headers: all };
    if (error) return { status, headers: all, body: jsonText(errorBody(error)) };
    return sized(status, all, body);
  }
}

function preflight({ arrived, route }: Visit): Reply {
  const requested = arrived.header('access-control-request-headers');
  return { status: 204, headers: preflightHeaders(requested, route.facts.anyHeaders === true) };
}

function isCounted(rate: Facts['rate'] | undefined, { principal }: Identity): boolean {
  return rate === 'strangers' ? principal === undefined : rate !== 'nobody';
}

function methodNotAllowed({ allow }: Route): Reply {
  const code: ErrorCode = 'METHOD_NOT_ALLOWED';
  const error = new SondeError(code, `This path supports ${allow.join(', ')}.`, {
    details: { allowed: [...allow] },
  });
  return errorReply(error, { Allow: allow.join(', ') });
}

function withRate(headers: Reply['headers'], rate: Visit['rate']): Reply['headers'] {
  return rate === NO_HEADERS ? headers : joinHeaders(headers, rate);
}

function sized(status: number, headers: Record<string, string>, body: Reply['body']): SentReply {
  if (body === undefined) return { status, headers };
  switch (body.kind) {
    case 'json':
      return { status, headers, body: jsonText(body.value) };
    case 'bytes':
    case 'text':
      return { status, headers, body };
    case 'pieces':
      headers['Content-Length'] = String(body.length);
      return { status, headers: untransformed(headers), body };
    default:
      return { status, headers: untransformed(headers), body };
  }
}

function jsonText(value: unknown): { kind: 'text'; text: string } {
  return { kind: 'text', text: JSON.stringify(value) };
}
