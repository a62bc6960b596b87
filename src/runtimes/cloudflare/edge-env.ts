/** What `wrangler.jsonc` binds, as the code sees it. Variables and secrets are read by `edge-settings.ts`. */
export interface EdgeEnv {
  /** One object a stream. */
  readonly HotBuffer: DurableObjectNamespace;
  /** One object a tenant. */
  readonly AuditLedger: DurableObjectNamespace;
  readonly COLD_SEGMENTS: R2Bucket;
  readonly DELETIONS: Queue<unknown>;
  readonly [variable: string]: unknown;
}
