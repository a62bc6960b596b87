/** Operations that the OpenAPI document does not describe yet, by hand. Each goes when the document has it. */
import type { components } from './schema';

type Json<Data> = { headers: { [name: string]: unknown }; content: { 'application/json': Data } };
type Nothing = { headers: { [name: string]: unknown }; content?: never };
type NoParameters = { query?: never; header?: never; path?: never; cookie?: never };
type Returning<Response> = { parameters: NoParameters; requestBody?: never; responses: { 200: Response } };

export interface SessionDraft {
  tenant: string | null;
  scopes: components['schemas']['Session']['scopes'];
  via: 'session' | 'jwt' | 'service-token' | 'none';
  expiresAt?: string;
}

export interface SystemPoint {
  at: string;
  requests: number;
  errors: number;
  queued: number;
  running: number;
  oldestQueuedMs: number;
  responses: number;
  refusals: number;
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
  points?: SystemPoint[];
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

export interface DraftPaths {
  '/api/session': { get: Returning<Json<SessionDraft>> };
  '/api/system': { parameters: NoParameters; get: Returning<Json<SystemDraft>> };
  '/api/demo': {
    parameters: NoParameters;
    get: Returning<Json<DemoDraft>>;
    post: Returning<Json<DemoDraft>>;
    delete: Returning<Nothing>;
  };
}
