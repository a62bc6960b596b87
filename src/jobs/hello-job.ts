/**
 * The kind `hello`: fetches one URL through the egress layer, as a smoke test of a deployment's queue, workers and
 * egress. Only here does the target's response decide the outcome of the job: timeouts, 429, 503 and network errors are
 * retried; a 404, a bad URL or a refused address is not.
 */
import * as z from 'zod';
import { headerValues, type OutboundRequest, type OutboundResult, readBody } from '../net/index.js';
import type { TenantTurns } from '../tenant-turns.js';
import { JobFailure } from './job-failure.js';
import type { JobHandler } from './job-handler.js';

export const HELLO_LIMITS = { totalMs: 30_000, bodyBytes: 10_000_000, redirects: 5 } as const;

const SPARE_BYTES = 4_000_000;
const URL_CHARS_MAX = 8192;
export const HelloPayload = z.strictObject({ url: z.string().min(1).max(URL_CHARS_MAX) });

export interface HelloDeps {
  fetch(request: OutboundRequest): Promise<OutboundResult>;
  readonly clock: () => number;
  /** Shares the process's requests between tenants. */
  readonly turns?: TenantTurns;
}

export function createHelloHandler({ fetch, clock, turns }: HelloDeps): JobHandler {
  return async (payload, { job, signal, progress, during }) => {
    const parsed = HelloPayload.safeParse(payload);
    if (!parsed.success) throw new JobFailure('a hello job needs a url', { permanent: true });
    const startedAt = performance.now();
    progress({ percent: 10, message: 'fetching' });
    const send = async () => {
      const result = await fetch({
        url: parsed.data.url,
        // More than is kept, so that a long body is truncated here instead of failing the request.
        limits: { totalMs: HELLO_LIMITS.totalMs, bodyBytes: HELLO_LIMITS.bodyBytes + SPARE_BYTES },
        maxRedirects: HELLO_LIMITS.redirects,
        signal,
      });
      if (!result.ok) throw result.error;
      const { status, headers, body } = result.response;
      return { status, headers, ...(await readBody(body, HELLO_LIMITS.bodyBytes)) };
    };
    const inTurn = () => (turns ? turns.run(job.tenantId, send) : send());
    const { status, headers, bytes, truncated } = await during(inTurn);
    judgeStatus(status, headerValues(headers, 'retry-after')[0], clock());
    return { status, bytes: bytes.length, truncated, durationMs: Math.round(performance.now() - startedAt) };
  };
}

const TRANSIENT: ReadonlySet<number> = new Set([408, 425, 429]);

function judgeStatus(status: number, retryAfter: string | undefined, now: number): void {
  if (status < 400) return;
  const permanent = status < 500 && !TRANSIENT.has(status);
  const retryAfterMs = permanent ? undefined : readRetryAfter(retryAfter, now);
  throw new JobFailure(`the target responded with ${status}`, { permanent, retryAfterMs });
}

const RETRY_AFTER_MAX_MS = 3_600_000;

/** RFC 9110, section 10.2.3: seconds, or a date. */
function readRetryAfter(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isFinite(ms) ? Math.min(Math.max(0, ms), RETRY_AFTER_MAX_MS) : undefined;
}
