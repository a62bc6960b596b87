/** What objects and Workflows import from `cloudflare:workers`, for a process outside the platform. */
export class DurableObject {
  readonly ctx: unknown;
  readonly env: unknown;

  constructor(ctx: unknown, env: unknown) {
    this.ctx = ctx;
    this.env = env;
  }
}

export class WorkflowEntrypoint extends DurableObject {}

/** The Worker of a simulation lives as long as its test. */
export function waitUntil(work: Promise<unknown>): void {
  work.catch(() => {});
}
