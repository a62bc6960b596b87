/** `sonde jobs list`: the jobs of a server, newest first. */
import type { Command } from 'commander';
import type { JobPage } from '../../api/views/job.js';
import { type CliContext, printJson, printNote, printText } from '../cli-context.js';
import { addJobsCommand, callJobsApi, JOB_SCOPES, jobLine } from '../jobs-client.js';

interface ListOptions {
  readonly status?: string;
  readonly kind?: string;
  readonly limit: string;
}

export function addJobsList(parent: Command, context: CliContext): void {
  addJobsCommand(parent, 'list', 'list jobs, newest first')
    .option('--status <STATUS>', 'only jobs in this state: queued, running, done, failed or canceled')
    .option('--kind <KIND>', 'only jobs of this kind: audit, compare, suite or hello')
    .option('--limit <COUNT>', 'maximum number of jobs', '50')
    .action(async ({ status, kind, limit }: ListOptions, self: Command) => {
      const query = new URLSearchParams({ limit, ...(status && { status }), ...(kind && { kind }) });
      const page = await callJobsApi<JobPage>(context, self, {
        method: 'GET',
        path: `/api/jobs?${query}`,
        scope: JOB_SCOPES.read,
      });
      if (context.json) return printJson(context, { ...page });
      for (const job of page.jobs) await printText(context, jobLine(context, job));
      await printNote(
        context,
        page.jobs.length === 0 ? 'no jobs' : page.next ? 'more jobs exist; raise --limit to list them' : '',
      );
    });
}
