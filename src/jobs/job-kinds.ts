/**
 * All kinds of jobs in one list. The composition root assigns a handler to each kind; a worker without a handler for a
 * kind leaves those jobs to other workers.
 */
import type { Scope } from '../scopes.js';

export interface KindEntry {
  readonly about: string;
  readonly readScope: Scope;
  readonly writeScope: Scope;
  /** What keeps the requests to send and erases them when it ends, so that the job cannot be retried. */
  readonly requestsOf?: string;
}

export const JOB_KINDS = {
  audit: { about: 'crawls and scores a site', readScope: 'audit:read', writeScope: 'audit:write' },
  compare: {
    about: 'compares two environments',
    readScope: 'compare:read',
    writeScope: 'compare:write',
    requestsOf: 'comparison',
  },
  hello: {
    about: 'fetches one URL, as a smoke test of a deployment',
    readScope: 'audit:read',
    writeScope: 'audit:write',
  },
  suite: {
    about: 'compares two environments path by path',
    readScope: 'compare:read',
    writeScope: 'compare:write',
    requestsOf: 'suite',
  },
} as const satisfies Record<string, KindEntry>;

export type JobKind = keyof typeof JOB_KINDS;

export const KIND_NAMES = Object.keys(JOB_KINDS) as [JobKind, ...JobKind[]];
