/**
 * `sonde jobs retry`: queues a failed or canceled job again; it continues after its last recorded step.
 * `sonde jobs cancel`: cancels a queued job, or notifies the worker of a running one.
 */
import type { Command } from 'commander';
import type { JobView } from '../../api/views/job.js';
import { type CliContext, printResult } from '../cli-context.js';
import { addJobsCommand, callJobsApi, JOB_SCOPES, jobLine, jobPath } from '../jobs-client.js';

const ACTIONS = {
  retry: 'queue a failed or canceled job again',
  cancel: 'cancel a queued or running job',
} as const;

export const JOB_ACTIONS = Object.entries(ACTIONS).map(
  ([name, about]) =>
    (parent: Command, context: CliContext) =>
      addJobsCommand(parent, name, about)
        .argument('<ID>', 'the id of the job')
        .action(async (id: string, _options: unknown, self: Command) => {
          const job = await callJobsApi<JobView>(context, self, {
            method: 'POST',
            path: jobPath(id, `/${name}`),
            scope: JOB_SCOPES.write,
          });
          await printResult(context, { job }, jobLine(context, job));
        }),
);
