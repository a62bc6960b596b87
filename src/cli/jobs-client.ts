/** Shared by the job commands: their options, calls to the server, and the line that shows a job. */
import type { Command } from 'commander';
import type { JobView } from '../api/views/job.js';
import { SondeError } from '../errors.js';
import { oneLine } from '../printable.js';
import type { CliContext } from './cli-context.js';
import { loadSettings } from './load-settings.js';
import type { ServerCall } from './ports.js';
import { CLIENT_SETTINGS, callJson } from './server-json.js';
import { addSettingOptions } from './setting-options.js';

export const JOB_SCOPES = {
  read: ['audit:read', 'compare:read'],
  write: ['audit:read', 'audit:write', 'compare:read', 'compare:write'],
} as const;

export function addJobsCommand(parent: Command, name: string, about: string): Command {
  return addSettingOptions(parent.command(name).description(about), CLIENT_SETTINGS);
}

export const JOB_ID = /^[0-9a-f-]{36}$/i;

export function jobPath(id: string, rest = ''): string {
  if (!JOB_ID.test(id)) throw new SondeError('USAGE', `"${id}" is not a job id`);
  return `/api/jobs/${id.toLowerCase()}${rest}`;
}

export async function callJobsApi<T>(context: CliContext, command: Command, call: ServerCall): Promise<T> {
  const { settings } = await loadSettings(context, command);
  return callJson(context, settings, call);
}

const MEANINGS: Readonly<Record<string, 'pass' | 'critical' | 'warn' | 'accent'>> = {
  done: 'pass',
  failed: 'critical',
  canceled: 'warn',
  running: 'accent',
};

export function jobLine({ paint }: CliContext, job: JobView): string {
  const meaning = MEANINGS[job.status] ?? 'muted';
  const progress = job.progress === null ? '' : `${job.progress} %`;
  const attempts = `${job.attempt}/${job.maxAttempts}`;
  const line = `${job.jobId}  ${job.kind.padEnd(8)}  ${paint(meaning, job.status.padEnd(8))}  ${attempts.padEnd(5)}`;
  const end = job.lastError ? `  ${job.lastError}` : '';
  return oneLine(`${line}  ${progress.padStart(5)}  ${job.queuedAt}${end}`);
}
