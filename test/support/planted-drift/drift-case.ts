/** One planted difference: how each side responds, and the finding that must result. */
import type { IncomingMessage } from 'node:http';
import type { FindingCode, Severity } from '../../../src/compare/index.js';
import type { Side } from '../../../src/probe/index.js';

export interface CannedResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Buffer;
  readonly delayMs?: number;
  /** Cuts the connection instead. */
  readonly drop?: true;
}

/** `turn` counts this side's requests in this run, from 0. */
export type Responder = CannedResponse | ((request: IncomingMessage, turn: number) => CannedResponse);

/** Which certificate and TLS version the right side uses. */
export type RightTls = 'right' | 'other' | 'untrusted' | 'old';

export interface DriftCase {
  readonly severity: Severity;
  /** The side that is worse off; right by default. */
  readonly candidate?: Side;
  readonly left: Responder;
  readonly right: Responder;
  readonly samples?: number;
  readonly tls?: RightTls;
  /** Served over plain http, on the same paths. */
  readonly http?: { readonly right: Responder };
  /** The robots.txt of a side; none by default. */
  readonly robots?: Partial<Readonly<Record<Side, string>>>;
  readonly leftHeaders?: readonly (readonly [string, string])[];
  /** The time at which the probe claims to run, so that certificates expire soon. */
  readonly at?: string;
}

export type DriftCases = Readonly<Partial<Record<FindingCode, DriftCase>>>;

export const LEFT_HOST = 'staging.planted.test';
export const RIGHT_HOST = 'www.planted.test';

export const page = (inner = '', head = ''): CannedResponse => ({
  body: `<!doctype html><html lang="en"><head><title>Shop</title>${head}</head><body><main><h1>Shop</h1>${inner}</main></body></html>`,
  headers: { 'content-type': 'text/html; charset=utf-8' },
});

export const json = (value: unknown): CannedResponse => ({
  body: JSON.stringify(value),
  headers: { 'content-type': 'application/json' },
});

export const withHeaders = (
  headers: NonNullable<CannedResponse['headers']>,
  response: CannedResponse = page(),
): CannedResponse => ({
  ...response,
  headers: { ...response.headers, ...headers },
});
