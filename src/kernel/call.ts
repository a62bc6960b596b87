/** A request that was matched to its operation and admitted. */
import type { HeaderPair } from '../net/index.js';
import type { TenantScope } from '../scopes.js';
import { demandScope, demandTenant, type Identity, type Principal, type TenantPrincipal } from './access.js';
import type { Arrived } from './arrived.js';
import type { Facts } from './operation.js';
import type { PublicOrigin } from './public-origin.js';
import { bodyTooLarge, declaredLength } from './refusals.js';

interface CallParts {
  readonly arrived: Arrived;
  readonly facts: Facts;
  readonly names: readonly string[];
  readonly values: readonly string[];
  readonly identity: Identity;
  readonly origin: PublicOrigin;
  readonly requestId: string;
  /** The limit of the body. */
  readonly bytesMax: number;
}

/** Shared, because operations only read it. */
const NO_QUERY = new URLSearchParams();

export class Call {
  readonly #parts: CallParts;

  constructor(parts: CallParts) {
    this.#parts = parts;
  }

  get facts(): Facts {
    return this.#parts.facts;
  }

  get method(): string {
    return this.#parts.arrived.method;
  }

  get path(): string {
    return this.#parts.arrived.path;
  }

  get query(): string {
    return this.#parts.arrived.query;
  }

  get origin(): PublicOrigin {
    return this.#parts.origin;
  }

  get requestId(): string {
    return this.#parts.requestId;
  }

  /** Undefined only where the operation's access is for anyone, or by a proof. */
  get principal(): Principal | undefined {
    return this.#parts.identity.principal;
  }

  /** The caller of an operation that needs a tenant. */
  get caller(): TenantPrincipal {
    return demandTenant(this.#parts.identity);
  }

  /** For a caller without the proof that the operation accepts instead. */
  callerWith(scope: TenantScope): TenantPrincipal {
    return demandScope(this.#parts.identity, scope);
  }

  get signal(): AbortSignal {
    return this.#parts.arrived.signal;
  }

  searchParams(): URLSearchParams {
    return this.query === '' ? NO_QUERY : new URLSearchParams(this.query);
  }

  header(name: string): string | null {
    return this.#parts.arrived.header(name);
  }

  headers(): readonly HeaderPair[] {
    return this.#parts.arrived.headers();
  }

  /** A part of the path that the facts name, decoded once. What cannot be decoded stays as received. */
  param(name: string): string {
    const raw = this.rawParam(name);
    return tryDecode(raw) ?? raw;
  }

  rawParam(name: string): string {
    const { names, values } = this.#parts;
    return values[names.indexOf(name)] ?? '';
  }

  /** An absolute URL of this server for a path that starts with a slash. */
  absolute(path: string): string {
    return this.#parts.origin.base + path;
  }

  declaredLength(): number | undefined {
    return declaredLength((name) => this.header(name));
  }

  /** The whole body. `max` applies in addition to the operation's own limit, which the door has compared already. */
  bytes(max?: number): Promise<Uint8Array> {
    const { arrived, bytesMax } = this.#parts;
    if (max === undefined) return arrived.bytes(bytesMax);
    if ((this.declaredLength() ?? 0) > max) return Promise.reject(bodyTooLarge(max));
    return arrived.bytes(Math.min(max, bytesMax));
  }

  /** The body as it arrives. */
  pieces(): AsyncIterableIterator<Uint8Array> {
    return this.#parts.arrived.pieces(this.#parts.bytesMax);
  }
}

/** Undefined for text that is not valid percent-encoding. */
export function tryDecode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
