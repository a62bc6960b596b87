/**
 * The product's Worker with additions for tests: its objects can be made to lose their memory, as by an eviction, and
 * the Worker has extra routes under `/test/`.
 */
import type { WorkflowEvent, WorkflowStep } from 'cloudflare:workers';
import { EnvPairDO as ProductPair } from '../../../src/runtimes/cloudflare/compare/env-pair.js';
import type { EdgeEnv } from '../../../src/runtimes/cloudflare/edge-env.js';
import { AuditLedger as ProductLedger } from '../../../src/runtimes/cloudflare/ledger/audit-ledger.js';
import { HotBuffer as ProductBuffer } from '../../../src/runtimes/cloudflare/streams/hot-buffer.js';
import worker from '../../../src/runtimes/cloudflare/worker.js';
import { CompareEnvironments as ProductCompare } from '../../../src/runtimes/cloudflare/workflows/compare-environments.js';
import type { RunParams } from '../../../src/runtimes/cloudflare/workflows/workflow-runs.js';

import { fillable, setFullness } from './full-storage.js';

export { AuditSite } from '../../../src/runtimes/cloudflare/workflows/audit-site.js';

const WHY = 'the test takes its memory away';

/** Objects, Workflows and the Worker share this memory, which lasts as long as the process. */
const started = new Set<string>();
let breaksNextRun = false;
let bucketKeeps = false;
const dead: unknown[] = [];
const deletionsAt: number[] = [];

/** A bucket that can refuse deletions: on request, or from the start by a variable. */
function keepingBucket(env: EdgeEnv): R2Bucket {
  const always = env['TEST_BUCKET_KEEPS'] === 'always';
  return new Proxy(env.COLD_SEGMENTS, {
    get(target, name) {
      if (name === 'delete' && (bucketKeeps || always))
        return () => Promise.reject(new Error('the bucket does not respond'));
      const method: unknown = Reflect.get(target, name);
      return typeof method === 'function' ? method.bind(target) : method;
    },
  });
}

/** The state after an alarm that the platform has given up. */
async function loseAlarm(ctx: DurableObjectState): Promise<void> {
  await ctx.storage.deleteAlarm();
  await ctx.storage.sync();
  ctx.abort(WHY);
}

export class HotBuffer extends ProductBuffer {
  constructor(ctx: DurableObjectState, env: EdgeEnv) {
    super(fillable(ctx), { ...env, COLD_SEGMENTS: keepingBucket(env) });
    // Runs after what the product itself does before it serves a request.
    void ctx.blockConcurrencyWhile(async () => void started.add(ctx.id.toString()));
  }

  lose(): void {
    this.ctx.abort(WHY);
  }

  loseAlarm(): Promise<void> {
    return loseAlarm(this.ctx);
  }

  tables(): number {
    const sql = "SELECT count(*) AS tables FROM sqlite_master WHERE name NOT LIKE '\\_cf\\_%' ESCAPE '\\'";
    return Number(this.ctx.storage.sql.exec(sql).one()['tables']);
  }
}

export class AuditLedger extends ProductLedger {
  lose(): void {
    this.ctx.abort(WHY);
  }

  loseAlarm(): Promise<void> {
    return loseAlarm(this.ctx);
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
      throw new Error('the test aborts the run before it starts');
    }
    await super.run(event, step);
  }
}

// biome-ignore lint/style/noDefaultExport: the platform requires it
export default {
  ...worker,
  async fetch(request, env) {
    switch (new URL(request.url).pathname) {
      // The ids of stream objects that started since this was last cleared, without calling them.
      case '/test/started':
        if (request.method === 'DELETE') started.clear();
        return Response.json([...started]);
      case '/test/break-next-run':
        breaksNextRun = true;
        return new Response(null, { status: 204 });
      case '/test/bucket-keeps':
        bucketKeeps = request.method === 'PUT';
        return new Response(null, { status: 204 });
      // Makes stream objects full: in transactions, at commits, or not at all.
      case '/test/full':
        setFullness(await request.text());
        return new Response(null, { status: 204 });
      // When deletions came out of the queue.
      case '/test/deletions':
        return Response.json(deletionsAt);
      case '/test/dead-letters':
        return Response.json(dead);
      default:
        return worker.fetch(request, env);
    }
  },
  async queue(batch, env) {
    if (batch.queue !== 'sonde-deletions-dead') {
      deletionsAt.push(...batch.messages.map(() => Date.now()));
      return worker.queue(batch, env);
    }
    for (const { body } of batch.messages) dead.push(body);
  },
} satisfies ExportedHandler<EdgeEnv>;
