/** What the commands about jobs share: the call, its answer as JSON, and a job as a line. */
import type { Command } from 'commander';
import type { SettingKey } from '../config/setting-rows.js';
import { SondeError } from '../errors.js';
import type { CliContext } from './cli-context.js';
import { loadSettings } from './load-settings.js';
import type { ServerCall } from './ports.js';
import { addSettingOptions } from './setting-options.js';

const CLIENT_SETTINGS: readonly SettingKey[] = ['client.server', 'client.token', 'server.data', 'net.ca'];
const ANSWER_BYTES_MAX = 16 * 1024 * 1024;

export const JOB_SCOPES = {
  read: ['audit:read', 'compare:read'],
  write: ['audit:read', 'audit:write', 'compare:read', 'compare:write'],
} as const;

export interface ShownJob {
  readonly jobId: string;
  readonly kind: string;
  readonly status: string;
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly progress: number | null;
  readonly queuedAt: string;
  readonly lastError: string | null;
}

export function addJobsCommand(parent: Command, name: string, about: string): Command {
  return addSettingOptions(parent.command(name).description(about), CLIENT_SETTINGS);
}

export function jobPath(id: string, rest = ''): string {
  if (!/^[0-9a-f-]{36}$/i.test(id)) throw new SondeError('USAGE', `"${id}" is not a job id`);
  return `/api/jobs/${id.toLowerCase()}${rest}`;
}

export async function askServer<T>(context: CliContext, command: Command, call: ServerCall): Promise<T> {
  const { settings } = await loadSettings(context, command);
  const { body } = await context.runtime.callServer(settings, call);
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of body) {
    text += decoder.decode(piece, { stream: true });
    if (text.length > ANSWER_BYTES_MAX)
      throw new SondeError('response_too_large', 'the response is too large');
  }
  return JSON.parse(text) as T;
}

const MEANINGS: Readonly<Record<string, 'pass' | 'critical' | 'warn' | 'accent'>> = {
  done: 'pass',
  failed: 'critical',
  canceled: 'warn',
  running: 'accent',
};

export function jobLine({ paint }: CliContext, job: ShownJob): string {
  const meaning = MEANINGS[job.status] ?? 'muted';
  const progress = job.progress === null ? '' : `${job.progress} %`;
  const attempts = `${job.attempt}/${job.maxAttempts}`;
  const line = `${job.jobId}  ${job.kind.padEnd(8)}  ${paint(meaning, job.status.padEnd(8))}  ${attempts.padEnd(5)}`;
  return `${line}  ${progress.padStart(5)}  ${job.queuedAt}${job.lastError ? `  ${job.lastError}` : ''}`;
}
