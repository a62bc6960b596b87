/** What the feed of changes reports: that something in a tenant's lists is no longer what it was. */
import type { Job, JobKind, JobStatus, Tenant } from '../../jobs/index.js';
import { splitStreamId } from '../../streams/index.js';

export type Change =
  | {
      readonly kind: 'job';
      readonly id: string;
      readonly state: JobStatus;
      readonly jobKind: JobKind;
      readonly auditId: string | null;
    }
  | {
      readonly kind: 'stream' | 'response';
      /** Path of a stream, or id of a response. */
      readonly id: string;
      readonly state: 'open' | 'closed' | 'deleted';
    };

export interface NumberedChange {
  readonly id: string;
  readonly change: Change;
}

export interface ChangePage {
  /** Changes before this page were lost: whatever is shown may be outdated. */
  readonly reset: boolean;
  readonly changes: readonly NumberedChange[];
  /** Where to continue. */
  readonly last: string;
}

/** Changes as the route reads them. */
export interface ChangeSource {
  /**
   * Changes after `after`, as soon as there are any, and an empty page after a while without. Without `after`, an empty
   * page at once, which names where the feed stands.
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

/** `streamId` as stores have it. */
export function streamChange(
  streamId: string,
  stream: { readonly closed: boolean; readonly deleted?: boolean } | undefined,
): Change {
  const path = splitStreamId(streamId)?.path;
  const state = stream === undefined || stream.deleted ? 'deleted' : stream.closed ? 'closed' : 'open';
  if (path !== undefined) return { kind: 'stream', id: path, state };
  return { kind: 'response', id: streamId.slice(streamId.indexOf('/') + 1), state };
}
