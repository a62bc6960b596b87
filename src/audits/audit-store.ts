/**
 * The port for storing audits: their rows, which the queue creates and ends together with their jobs, and the parts of
 * their records. Everything is durable once its promise resolves. Writes of a running audit carry its lease and are
 * rejected once another worker holds the job.
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
  /** Only audits of this site. */
  readonly canonicalUrl?: string;
  /** Continues after this audit. */
  readonly after?: { readonly createdAt: number; readonly auditId: string };
  readonly limit: number;
}

/** The writer: the job that runs the audit, and its lease. */
export interface AuditLease {
  readonly jobId: string;
  readonly leaseToken: number;
}

/** A part can be tens of megabytes, so it can be read a few pieces at a time. */
export interface PartPieces {
  readonly pieces: readonly string[];
  /** All pieces of the part; 0 if it was never written. */
  readonly total: number;
}

export interface AuditStore {
  get(tenantId: string, auditId: string): Promise<Audit | undefined>;
  /** Newest first. */
  list(tenantId: string, filter: AuditFilter): Promise<readonly Audit[]>;
  /** Replaces the part. Returns false if the lease is lost and nothing was written. */
  putPart(lease: AuditLease, part: string, text: string): Promise<boolean>;
  getPart(audit: Pick<Audit, 'tenantId' | 'auditId'>, part: string): Promise<string | undefined>;
  /** Some pieces of a long part, beginning with `from`. */
  getPieces(audit: Pick<Audit, 'tenantId' | 'auditId'>, part: string, from: number): Promise<PartPieces>;
  /** Returns false if the lease is lost and nothing was written. */
  setResult(
    lease: AuditLease,
    result: { readonly score: number | null; readonly reportRef: string },
  ): Promise<boolean>;
}

/** Characters of one stored piece of a part; keeps rows well below the limit of every engine. */
export const PIECE_CHARS = 128 * 1024;

/** Pieces that one call returns at most. */
export const PIECES_PER_READ = 8;

/** Splits a part into pieces, never inside a surrogate pair; an empty part is one empty piece. */
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
