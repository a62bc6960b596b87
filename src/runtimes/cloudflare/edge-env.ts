/** The bindings of `wrangler.jsonc`. `edge-settings.ts` reads the variables and secrets. */
import type { RunParams } from './workflows/workflow-runs.js';

export interface EdgeEnv {
  /** One object per stream. */
  readonly HotBuffer: DurableObjectNamespace;
  /** One object per tenant. */
  readonly AuditLedger: DurableObjectNamespace;
  /** One object per pair of environments. */
  readonly ENVPAIR_DO: DurableObjectNamespace;
  readonly COMPARE_WORKFLOW: Workflow<RunParams>;
  readonly AUDIT_WORKFLOW: Workflow<RunParams>;
  readonly COLD_SEGMENTS: R2Bucket;
  readonly DELETIONS: Queue<unknown>;
  /** The static assets that the build writes. */
  readonly ASSETS: Fetcher;
  /** Bound only in production, because a local run with it needs a login. */
  readonly AI?: { run(model: string, input: unknown): Promise<unknown> };
  readonly [variable: string]: unknown;
}
