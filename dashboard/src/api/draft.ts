/** Operations that the document does not describe yet. */
import type { components } from './schema';

type Get<P, D> = {
  parameters: { query?: never; header?: never; path?: never; cookie?: never };
  get: {
    parameters: { query?: P; header?: never; path?: never; cookie?: never };
    requestBody?: never;
    responses: { 200: { headers: { [name: string]: unknown }; content: { 'application/json': D } } };
  };
};

export interface SessionDraft {
  tenant: string | null;
  scopes: components['schemas']['Session']['scopes'];
  via: 'session' | 'jwt' | 'service-token' | 'none';
  expiresAt?: string;
}
export type StreamEntryDraft = {
  id: string;
  url: string;
  contentType: string;
  bytes: number;
  state: 'open' | 'closed';
  offset: string;
  createdAt: string;
  lastAppendAt: string | null;
  expiresAt: string | null;
  damaged?: boolean;
} & (
  | { kind: 'stream' }
  | {
      kind: 'response';
      outcome: string | null;
      error: string | null;
      route: string | null;
      method: string;
      upstreamStatus: number | null;
      upstreamUrl: string | null;
    }
);
export interface TimingDraft {
  createdAt: string;
  bytesBefore: number;
  records: [string, number, number | null][];
  next: string | null;
}
export interface SystemDraft {
  version: string;
  engine: string;
  runtime: string;
  startedAt: string;
  now: string;
  health: { ready: boolean; checks: { name: string; ok: boolean; fault?: string }[] };
  attention: { code: string; message: string; subject?: string }[];
  queue?: { queued: number; running: number; oldestQueuedMs: number };
  workers?: { workerId: string; jobs: number; leaseUntil: string; oldestStartedAt: string }[];
  responses?: { running: number };
  readers?: { live: number };
  egress?: { refusals: { rule: string; count: number }[] };
  storage?: { freeBytes: number; totalBytes: number };
  points?: {
    at: string;
    requests: number;
    errors: number;
    queued: number;
    running: number;
    oldestQueuedMs: number;
    responses: number;
    refusals: number;
  }[];
}
export type DemoDraft =
  | { running: false }
  | {
      running: true;
      startedAt: string;
      compare: { left: string; right: string; leftLabel: string; rightLabel: string; paths: string[] };
      audit: { url: string };
      model: { route: string; url: string; body: unknown };
    };
export interface BaselineEntry {
  entryId: string;
  code: string;
  severity: string;
  path: string;
  message: string;
  reason?: string;
  expires?: string;
  comparisonId: string;
  acceptedAt: string;
}
type Entries = { entries: BaselineEntry[] };
type NoParams = { query?: never; header?: never; path?: never; cookie?: never };
type KeyPath = { query?: never; header?: never; path: { pairKey: string }; cookie?: never };
type Json<D> = { headers: { [name: string]: unknown }; content: { 'application/json': D } };
type Nothing = { headers: { [name: string]: unknown }; content?: never };

export interface DraftPaths {
  '/api/streams': Get<
    {
      kind?: 'stream' | 'response';
      state?: 'open' | 'closed';
      outcome?: string;
      q?: string;
      limit?: number;
      cursor?: string;
    },
    { streams: StreamEntryDraft[]; next: string | null }
  >;
  '/api/streams/timing': Get<
    { stream?: string; response?: string; from?: string; limit?: number },
    TimingDraft
  >;
  '/api/system': Get<never, SystemDraft>;
  '/api/demo': Get<never, DemoDraft> & {
    post: { parameters: NoParams; requestBody?: never; responses: { 200: Json<DemoDraft> } };
    delete: { parameters: NoParams; requestBody?: never; responses: { 204: Nothing } };
  };
  '/api/pairs/{pairKey}/baseline': {
    parameters: KeyPath;
    get: { parameters: KeyPath; requestBody?: never; responses: { 200: Json<Entries> } };
    post: {
      parameters: KeyPath;
      requestBody: {
        content: {
          'application/json': {
            comparisonId: string;
            findings: string[] | 'all';
            reason?: string;
            expires?: string;
          };
        };
      };
      responses: { 200: Json<Entries> };
    };
  };
  '/api/pairs/{pairKey}/baseline/{entryId}': {
    parameters: { query?: never; header?: never; path: { pairKey: string; entryId: string }; cookie?: never };
    delete: {
      parameters: {
        query?: never;
        header?: never;
        path: { pairKey: string; entryId: string };
        cookie?: never;
      };
      requestBody?: never;
      responses: { 204: Nothing };
    };
  };
}
export type SessionGet = {
  get: { parameters: NoParams; requestBody?: never; responses: { 200: Json<SessionDraft> } };
};
