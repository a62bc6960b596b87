import * as z from 'zod';
import { HelloPayload, JOB_STATUSES, KIND_NAMES } from '../../jobs/index.js';
import type { Schemas } from '../../kernel/operation.js';
import { eventsSchemas } from '../views/events-operation.js';
import { EndedJobView, JobPage, JobView } from '../views/job.js';
import { createdResponse, idParam, jsonResponse } from '../views/operation.js';
import { pageParams } from '../views/time-pages.js';

const tag = 'Jobs';
const params = idParam('jobId', 64);

export const listJobs = {
  tag,
  summary: 'List jobs, newest first',
  description: 'Lists the kinds of jobs that the credential may read.',
  query: z.object({
    status: z.enum(JOB_STATUSES).optional(),
    kind: z.enum(KIND_NAMES).optional(),
    ...pageParams,
  }),
  replies: { 200: jsonResponse('One page of jobs.', JobPage) },
} satisfies Schemas;

export const createJob = {
  tag,
  summary: 'Queue a smoke test',
  description: 'Fetches one URL under the address policy.',
  json: z
    .strictObject({ kind: z.literal('hello'), url: HelloPayload.shape.url })
    .meta({ id: 'HelloRequest' }),
  replies: { 202: createdResponse('Queued.', JobView) },
} satisfies Schemas;

export const getJob = {
  tag,
  summary: 'Get a job',
  params,
  replies: { 200: jsonResponse('The job.', EndedJobView) },
} satisfies Schemas;

export const getJobEvents = { tag, params, ...eventsSchemas } satisfies Schemas;

export const cancelJob = {
  tag,
  summary: 'Cancel a job',
  description: 'A queued job ends at once; a running one when its worker is notified.',
  params,
  replies: { 200: jsonResponse('The job.', JobView) },
} satisfies Schemas;

export const retryJob = {
  ...cancelJob,
  summary: 'Retry a failed or canceled job',
  description: 'It is queued again and continues after its last recorded step.',
} satisfies Schemas;

export const deleteJob = {
  tag,
  summary: 'Delete a job that has ended',
  description: 'Its events and its audit, if it has one, are deleted too. Comparisons and suites stay.',
  params,
  replies: { 204: { description: 'Deleted.' } },
} satisfies Schemas;
