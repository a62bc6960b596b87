/**
 * `/api/jobs`: a tenant's view of the queue. Each kind of job has its own scopes, which the operations check for the job
 * that they find; jobs of other tenants are not found.
 */
import type { Facts } from '../../kernel/operation.js';

const LIST = '/api/jobs';
const ONE = `${LIST}/{jobId}` as const;

const ANY_KIND = {
  access: { anyOf: ['audit:read', 'compare:read'] },
  body: 'none',
  rate: 'everyone',
} as const satisfies Partial<Facts>;

export const listJobs: Facts = {
  ...ANY_KIND,
  id: 'listJobs',
  method: 'GET',
  path: LIST,
  errors: ['STORAGE_UNAVAILABLE'],
};

/** Only the smoke test of a deployment; other kinds are created by their own resources. */
export const createJob: Facts = {
  id: 'createJob',
  method: 'POST',
  path: LIST,
  access: { scope: 'audit:write' },
  body: 'json',
  rate: 'everyone',
  creates: true,
  errors: ['STORAGE_UNAVAILABLE', 'invalid_url', 'ssrf_blocked'],
};

export const getJob: Facts = {
  ...ANY_KIND,
  id: 'getJob',
  method: 'GET',
  path: ONE,
  errors: ['STORAGE_UNAVAILABLE', 'JOB_NOT_FOUND'],
};

export const getJobEvents: Facts = {
  ...ANY_KIND,
  id: 'getJobEvents',
  method: 'GET',
  path: `${ONE}/events`,
  errors: ['STORAGE_UNAVAILABLE', 'JOB_NOT_FOUND', 'TOO_MANY_READERS'],
};

export const cancelJob: Facts = {
  ...ANY_KIND,
  id: 'cancelJob',
  method: 'POST',
  path: `${ONE}/cancel`,
  errors: ['STORAGE_UNAVAILABLE', 'JOB_NOT_FOUND', 'JOB_CONFLICT'],
};

export const retryJob: Facts = { ...cancelJob, id: 'retryJob', path: `${ONE}/retry` };

export const deleteJob: Facts = {
  ...ANY_KIND,
  id: 'deleteJob',
  method: 'DELETE',
  path: ONE,
  errors: ['STORAGE_UNAVAILABLE', 'JOB_NOT_FOUND', 'STILL_RUNNING'],
};
