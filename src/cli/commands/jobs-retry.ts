/** `sonde jobs retry`: queues a failed or canceled job again; it continues after its last recorded step. */
import type { Command } from 'commander';
import { type CliContext, printJson, printText } from '../cli-context.js';
import { addJobsCommand, callJobsApi, JOB_SCOPES, jobLine, jobPath, type ShownJob } from '../jobs-client.js';

export function addJobsRetry(parent: Command, context: CliContext): void {
  addJobsCommand(parent, 'retry', 'queue a failed or canceled job again')
    .argument('<ID>', 'the id of the job')
    .action(async (id: string, _options: unknown, self: Command) => {
      const job = await callJobsApi<ShownJob>(context, self, {
        method: 'POST',
        path: jobPath(id, '/retry'),
        scope: JOB_SCOPES.write,
      });
      if (context.json) await printJson(context, { job });
      else await printText(context, jobLine(context, job));
    });
}
