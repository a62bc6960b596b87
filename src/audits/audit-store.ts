/**
 * The port behind which audits are kept: their rows, which the queue makes and ends together with their jobs,
 * and the parts of their records. Everything is durable when its promise resolves. What a running audit writes
 * names its lease; once another holds the job, it is refused.
 */
export type AuditStatus = 'queued' | 'running' | 'done' | 'failed' | 'canceled';

export interface Audit {
  readonly auditId: string;
  readonly jobId: string;
  readonly tenantId: string;
  readonly url: string;
  readonly canonicalUrl: string;
  readonly options: unknown;
  readonly recipeVersion: string;
  readonly status: AuditStatus;
  readonly score: number | null;
  /** The part of the record that holds the report. */
  readonly reportRef: string | null;
  readonly lastError: string | null;
  readonly progressPct: number | null;
  /** Milliseconds since the epoch, by the store's clock. */
  readonly createdAt: number;
  readonly finishedAt: number | null;
}

export interface AuditFilter {
  readonly status?: AuditStatus;
  /** Continues after this audit. */
  readonly after?: { readonly createdAt: number; readonly auditId: string };
  readonly limit: number;
}

/** Who writes: the job that does the audit, and the lease under which it is held. */
export interface AuditLease {
  readonly jobId: string;
  readonly leaseToken: number;
}

export interface AuditStore {
  get(tenantId: string, auditId: string): Promise<Audit | undefined>;
  /** Youngest first. */
  list(tenantId: string, filter: AuditFilter): Promise<readonly Audit[]>;
  /** Replaces the part. False: the lease is lost and nothing was written. */
  putPart(lease: AuditLease, part: string, text: string): Promise<boolean>;
  getPart(audit: Pick<Audit, 'tenantId' | 'auditId'>, part: string): Promise<string | undefined>;
  /** False: the lease is lost and nothing was written. */
  setResult(
    lease: AuditLease,
    result: { readonly score: number; readonly reportRef: string },
  ): Promise<boolean>;
}

/** Characters of one stored piece of a part: rows stay well under what every engine takes. */
export const PIECE_CHARS = 128 * 1024;

/** A part in pieces, never cut inside a surrogate pair; an empty part is one empty piece. */
export function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length || pieces.length === 0; ) {
    let to = Math.min(text.length, from + PIECE_CHARS);
    const last = text.charCodeAt(to - 1);
    if (to < text.length && last >= 0xd800 && last <= 0xdbff) to -= 1;
    pieces.push(text.slice(from, to));
    from = to;
  }
  return pieces;
}
