/** What each capability adds to the access matrix: a request that succeeds for each of its operations. */
import type { Fields, Received, Sent } from './send.js';

interface Prepared extends Pick<Sent, 'headers' | 'body'> {
  readonly json?: unknown;
}

/** A server under test, with what a row needs to prepare a request that succeeds. */
export interface World {
  /** The origin of a site that responds to everything, as upstream and as target. */
  readonly site: string;
  /** Text that no other call returned. */
  unique(): string;
  /** Sends a request as an administrator of the tenant whose credentials are tested. */
  send(method: string, path: string, more?: Prepared): Promise<Received>;
  /** The same, but fails unless it succeeds. */
  ask(method: string, path: string, more?: Prepared): Promise<Received>;
  /** A one-time code for `POST /api/session`. */
  loginCode(): Promise<string>;
}

export interface Credential {
  readonly headers?: Fields;
  /** Without a question mark. */
  readonly query?: string;
}

/** A request that succeeds with the right credential. It is prepared again after a request has changed something. */
export interface Target {
  readonly path: string;
  readonly headers?: Fields;
  /** The body: JSON, or text. */
  readonly json?: unknown;
  readonly text?: string;
  /** Credentials that only this operation accepts, by name. */
  readonly proofs?: Readonly<Record<string, Credential>>;
  /** Converts a bearer token to the form in which this operation takes it. */
  readonly carry?: (token: string) => Credential;
  /** The request that removes what this one has created. */
  readonly undo?: (created: Received) => Pick<Sent, 'method' | 'path'>;
}

export type Row = (world: World) => Target | Promise<Target>;

export interface Part {
  readonly name: string;
  /** By operation id of the API document. */
  readonly rows: Readonly<Record<string, Row>>;
  /** Other requests for one of these operations, by what makes them differ. */
  readonly further?: Readonly<Record<string, { readonly of: string; readonly row: Row }>>;
  /** Paths beside those of the API document. */
  readonly paths?: readonly string[];
}

export function idIn({ text }: Received, name: string): string {
  return String((JSON.parse(text) as Record<string, unknown>)[name]);
}
