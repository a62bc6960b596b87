/** Jobs and their events in the API: the OpenAPI schemas, and the mapping from stored jobs. */
import * as z from 'zod';
import { EVENT_TYPES, JOB_STATUSES, type Job, type JobEvent, KIND_NAMES } from '../../jobs/index.js';
import { iso, isoOrNull, time } from './time.js';

export const JobView = z
  .object({
    jobId: z.uuid(),
    kind: z.enum(KIND_NAMES),
    status: z.enum(JOB_STATUSES),
    auditId: z.uuid().nullable().describe('Null unless the kind is `audit`.'),
    attempt: z.int().describe('Number of attempts so far.'),
    maxAttempts: z.int(),
    priority: z.int().describe('Within a tenant, lower numbers run first.'),
    progress: z.int().min(0).max(100).nullable().describe('Percent. It never decreases.'),
    cancelRequested: z.boolean(),
    lastError: z.string().nullable().describe('Why the last attempt failed, redacted.'),
    payload: z.unknown().describe('Input of the job, redacted.'),
    queuedAt: time,
    runAt: time.describe('Earliest start.'),
    startedAt: time.nullable(),
    finishedAt: time.nullable(),
  })
  .meta({ id: 'Job' });
export type JobView = z.infer<typeof JobView>;

export const JobPage = z.object({ jobs: z.array(JobView), next: z.string().nullable() }).meta({ id: 'Jobs' });
export type JobPage = z.infer<typeof JobPage>;

export const EndedJobView = JobView.and(
  z.object({
    result: z.unknown().describe('What the job returned, redacted. Null unless its status is `done`.'),
  }),
).meta({ id: 'JobWithResult' });

export const JobEventView = z
  .object({
    seq: z.int().describe('Grows with each event; the `id` of the event in a stream.'),
    type: z.enum(EVENT_TYPES),
    message: z.string().nullable(),
    data: z.record(z.string(), z.unknown()).nullable(),
    progress: z.int().min(0).max(100).nullable(),
    createdAt: time,
  })
  .meta({ id: 'JobEvent' });
export type JobEventView = z.infer<typeof JobEventView>;

export const JobEventPage = z
  .object({
    events: z.array(JobEventView),
    next: z.int().describe('Send it as `after` to get the next page.'),
    ended: z.boolean().describe('No further events will follow.'),
  })
  .meta({ id: 'JobEvents' });
export type JobEventPage = z.infer<typeof JobEventPage>;

export function jobView(job: Job, redact: (value: unknown) => unknown): z.input<typeof JobView> {
  return {
    jobId: job.jobId,
    kind: job.kind,
    status: job.status,
    auditId: job.auditId,
    attempt: job.attempt,
    maxAttempts: job.maxAttempts,
    priority: job.priority,
    progress: job.progressPct,
    cancelRequested: job.cancelRequested,
    lastError: job.lastError,
    payload: redact(job.payload),
    queuedAt: iso(job.queuedAt),
    runAt: iso(job.runAt),
    startedAt: isoOrNull(job.startedAt),
    finishedAt: isoOrNull(job.finishedAt),
  };
}

export function jobEventView({ seq, type, message, data, progressPct, createdAt }: JobEvent) {
  return { seq, type, message, data: data && { ...data }, progress: progressPct, createdAt: iso(createdAt) };
}
