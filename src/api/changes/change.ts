/** The types of the change feed, which reports that an item in a tenant's lists has changed. */
import * as z from 'zod';
import type { DeepReadonly } from '../../deep-readonly.js';
import { JOB_STATUSES, type Job, KIND_NAMES, type Tenant } from '../../jobs/index.js';
import { splitStreamId } from '../../streams/index.js';

const state = z.enum(['open', 'closed', 'deleted']);

export const ChangeView = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('job'),
      id: z.uuid(),
      state: z.enum(JOB_STATUSES),
      jobKind: z.enum(KIND_NAMES),
      auditId: z.uuid().nullable(),
    }),
    z.object({ kind: z.literal('stream'), id: z.string().describe('Path of the stream.'), state }),
    z.object({ kind: z.literal('response'), id: z.string().describe('Id of the proxied response.'), state }),
  ])
  .describe('`data` of an event `change`.')
  .meta({ id: 'Change' });

export type Change = DeepReadonly<z.output<typeof ChangeView>>;

export interface NumberedChange {
  readonly id: string;
  readonly change: Change;
}

export interface ChangePage {
  /** Changes before this page were lost, so the reader must fetch its data again. */
  readonly reset: boolean;
  readonly changes: readonly NumberedChange[];
  /** The id to continue after. */
  readonly last: string;
}

/** The port through which the route reads changes. */
export interface ChangeSource {
  /**
   * Resolves to the changes after `after` as soon as there are any, or to an empty page after a while. Without `after`,
   * resolves at once to an empty page with the current position.
   */
  page(
    tenant: Tenant,
    read: { readonly after: string | undefined; readonly signal: AbortSignal },
  ): Promise<ChangePage>;
}

export function jobChange({
  jobId,
  status,
  kind,
  auditId,
}: Pick<Job, 'jobId' | 'status' | 'kind' | 'auditId'>): Change {
  return { kind: 'job', id: jobId, state: status, jobKind: kind, auditId };
}

/** `streamId` is the id that stores use. */
export function streamChange(
  streamId: string,
  stream: { readonly closed: boolean; readonly deleted?: boolean } | undefined,
): Change {
  const path = splitStreamId(streamId)?.path;
  const state = stream === undefined || stream.deleted ? 'deleted' : stream.closed ? 'closed' : 'open';
  if (path !== undefined) return { kind: 'stream', id: path, state };
  return { kind: 'response', id: streamId.slice(streamId.indexOf('/') + 1), state };
}
