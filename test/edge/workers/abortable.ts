/**
 * The product's Worker with what only tests have: its objects can be told to lose their memory, as an eviction takes
 * it, and below `/test/` the Worker tells and does things that nobody may ask of the product.
 */
import type { WorkflowEvent, WorkflowStep } from 'cloudflare:workers';
import { EnvPairDO as ProductPair } from '../../../src/runtimes/cloudflare/compare/env-pair.js';
import type { EdgeEnv } from '../../../src/runtimes/cloudflare/edge-env.js';
import { AuditLedger as ProductLedger } from '../../../src/runtimes/cloudflare/ledger/audit-ledger.js';
import { HotBuffer as ProductBuffer } from '../../../src/runtimes/cloudflare/streams/hot-buffer.js';
import worker from '../../../src/runtimes/cloudflare/worker.js';
import { CompareEnvironments as ProductCompare } from '../../../src/runtimes/cloudflare/workflows/compare-environments.js';
import type { RunParams } from '../../../src/runtimes/cloudflare/workflows/workflow-runs.js';

export { AuditSite } from '../../../src/runtimes/cloudflare/workflows/audit-site.js';

const WHY = 'the test takes its memory away';

/** Objects, Workflows and the Worker share this memory, which lasts as long as the process. */
const woken = new Set<string>();
let breaksNextRun = false;

export class HotBuffer extends ProductBuffer {
  lose(): void {
    this.ctx.abort(WHY);
  }

  override async alarm(): Promise<void> {
    await super.alarm();
    woken.add(this.ctx.id.toString());
  }
}

export class AuditLedger extends ProductLedger {
  lose(): void {
    this.ctx.abort(WHY);
  }

  /** As after an alarm that the platform has given up. */
  async loseAlarm(): Promise<void> {
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.sync();
    this.ctx.abort(WHY);
  }
}

export class EnvPairDO extends ProductPair {
  lose(): void {
    this.ctx.abort(WHY);
  }
}

export class CompareEnvironments extends ProductCompare {
  override async run(event: Readonly<WorkflowEvent<RunParams>>, step: WorkflowStep): Promise<void> {
    if (breaksNextRun) {
      breaksNextRun = false;
      throw new Error('the test breaks the run off before it has begun');
    }
    await super.run(event, step);
  }
}

// biome-ignore lint/style/noDefaultExport: the platform looks for it
export default {
  ...worker,
  async fetch(request, env) {
    switch (new URL(request.url).pathname) {
      // The ids of streams' objects whose alarm has gone off, without asking them.
      case '/test/alarms':
        return Response.json([...woken]);
      case '/test/break-next-run':
        breaksNextRun = true;
        return new Response(null, { status: 204 });
      default:
        return worker.fetch(request, env);
    }
  },
} satisfies ExportedHandler<EdgeEnv>;
