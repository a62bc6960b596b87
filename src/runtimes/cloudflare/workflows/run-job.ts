/** Runs one job as an instance of a Workflow, under the lease that the tenant's object claimed, until it is settled. */
import type { WorkflowStep } from 'cloudflare:workers';
import {
  type ClaimedJob,
  JOB_LIMITS,
  type JobHandler,
  runHeldJob,
  type Settlement,
} from '../../../jobs/index.js';
import { createRedactor } from '../../../net/index.js';
import { createConsoleLog } from '../console-log.js';
import type { EdgeEnv } from '../edge-env.js';
import { type EdgeSettings, readEdgeSettings } from '../edge-settings.js';
import { recordPortsOf } from '../records/records-rpc.js';
import type { RunParams } from './workflow-runs.js';
import { createWorkflowSteps } from './workflow-steps.js';

export interface RunCall {
  readonly env: EdgeEnv;
  readonly params: RunParams;
  readonly step: WorkflowStep;
  readonly instance: string;
  handlerOf(job: ClaimedJob, settings: EdgeSettings): Promise<JobHandler>;
}

const SETTLE = {
  retries: { limit: 5, delay: 1_000, backoff: 'exponential' },
  timeout: 30_000,
} as const;

export async function runJob({ env, params, step, instance, handlerOf }: RunCall): Promise<void> {
  const settings = readEdgeSettings(env);
  const { jobs } = recordPortsOf(env, params.tenant);
  const { job } = params;
  const now = await jobs.get(job.tenantId, job.jobId);
  // The job has ended, or another attempt holds it, so this run would have no effect.
  if (now?.status !== 'running' || now.leaseToken !== job.leaseToken) return;
  const { eventSeq, progressPct } = now;
  const settle = async (settlement: Settlement) => {
    // If it is not accepted, an earlier call whose response was lost has settled it, or the lease is lost.
    await jobs.settle([settlement]);
    return settlement.outcome;
  };
  await runHeldJob(
    { ...job, eventSeq, progressPct },
    {
      store: jobs,
      handler: await handlerOf(job, settings),
      workerId: instance,
      leaseMs: settings.edge.quietMs,
      durationMs: JOB_LIMITS.durationMs,
      resumed: eventSeq > job.eventSeq,
      stepsOver: (recorded, signal) => createWorkflowSteps(step, recorded, signal),
      settle: async (settlement) => void (await step.do('settle', SETTLE, () => settle(settlement))),
      log: createConsoleLog(settings.log.level),
      redactor: createRedactor(),
      clock: Date.now,
      random: Math.random,
    },
  );
}
