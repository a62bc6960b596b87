/** `sonde jobs cancel`: cancels a queued job, or notifies the worker of a running one. */
import type { Command } from 'commander';
import { type CliContext, printJson, printText } from '../cli-context.js';
import { addJobsCommand, callJobsApi, JOB_SCOPES, jobLine, jobPath, type ShownJob } from '../jobs-client.js';

export function addJobsCancel(parent: Command, context: CliContext): void {
  addJobsCommand(parent, 'cancel', 'cancel a queued or running job')
    .argument('<ID>', 'the id of the job')
    .action(async (id: string, _options: unknown, self: Command) => {
      const job = await callJobsApi<ShownJob>(context, self, {
        method: 'POST',
        path: jobPath(id, '/cancel'),
        scope: JOB_SCOPES.write,
      });
      if (context.json) await printJson(context, { job });
      else await printText(context, jobLine(context, job));
    });
}
