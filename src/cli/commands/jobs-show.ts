/** `sonde jobs show`: shows one job and its events. */
import type { Command } from 'commander';
import type { JobEventPage, JobView } from '../../api/views/job.js';
import { oneLine } from '../../printable.js';
import { type CliContext, printJson, printText } from '../cli-context.js';
import { addJobsCommand, callJobsApi, JOB_SCOPES, jobLine, jobPath } from '../jobs-client.js';

export function addJobsShow(parent: Command, context: CliContext): void {
  addJobsCommand(parent, 'show', 'show a job and its events')
    .argument('<ID>', 'the id of the job')
    .action(async (id: string, _options: unknown, self: Command) => {
      const call = { method: 'GET', scope: JOB_SCOPES.read };
      const job = await callJobsApi<JobView>(context, self, { ...call, path: jobPath(id) });
      const path = jobPath(id, '/events?limit=1000');
      const { events } = await callJobsApi<JobEventPage>(context, self, { ...call, path });
      if (context.json) return printJson(context, { job, events });
      await printText(context, jobLine(context, job));
      for (const { seq, type, message, progress, createdAt } of events) {
        const percent = progress === null ? '' : `${progress} %`;
        const line = `${String(seq).padStart(5)}  ${createdAt}  ${type.padEnd(14)}  ${percent.padStart(5)}`;
        await printText(context, oneLine(`${line}  ${message ?? ''}`));
      }
    });
}
