/**
 * Every kind of job there is, in one list: what runs can be read here. A handler for a kind is joined by the
 * composition root; a worker without one leaves such jobs to workers that have it.
 */
import type { Scope } from '../scopes.js';

interface KindEntry {
  readonly about: string;
  readonly readScope: Scope;
  readonly writeScope: Scope;
}

export const JOB_KINDS = {
  audit: { about: 'crawls and scores a site', readScope: 'audit:read', writeScope: 'audit:write' },
  compare: { about: 'compares two environments', readScope: 'compare:read', writeScope: 'compare:write' },
  hello: {
    about: 'fetches one URL, as a smoke test of a deployment',
    readScope: 'audit:read',
    writeScope: 'audit:write',
  },
  suite: {
    about: 'compares two environments path by path',
    readScope: 'compare:read',
    writeScope: 'compare:write',
  },
} as const satisfies Record<string, KindEntry>;

export type JobKind = keyof typeof JOB_KINDS;

export const KIND_NAMES = Object.keys(JOB_KINDS) as [JobKind, ...JobKind[]];
