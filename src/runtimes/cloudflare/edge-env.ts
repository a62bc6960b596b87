/** What `wrangler.jsonc` binds, as the code sees it. Variables and secrets are read by `edge-settings.ts`. */
import type { RunParams } from './workflows/workflow-runs.js';

export interface EdgeEnv {
  /** One object a stream. */
  readonly HotBuffer: DurableObjectNamespace;
  /** One object a tenant. */
  readonly AuditLedger: DurableObjectNamespace;
  /** One object a pair of environments. */
  readonly ENVPAIR_DO: DurableObjectNamespace;
  readonly COMPARE_WORKFLOW: Workflow<RunParams>;
  readonly AUDIT_WORKFLOW: Workflow<RunParams>;
  readonly COLD_SEGMENTS: R2Bucket;
  readonly DELETIONS: Queue<unknown>;
  /** What the build wrote beside the Worker. */
  readonly ASSETS: Fetcher;
  /** Bound in production only, since a local run with it needs a login. */
  readonly AI?: { run(model: string, input: unknown): Promise<unknown> };
  readonly [variable: string]: unknown;
}
