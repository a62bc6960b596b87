/** Shared by the stream commands: their options, the path of a stream, and copying its bytes to stdout. */
import type { Command } from 'commander';
import type { Settings } from '../config/settings.js';
import { SondeError } from '../errors.js';
import type { CliContext } from './cli-context.js';
import type { ApiReply } from './ports.js';
import { CLIENT_SETTINGS } from './server-json.js';
import { addSettingOptions } from './setting-options.js';

export function addStreamCommand(parent: Command, name: string, about: string): Command {
  const command = parent.command(name).description(about).argument('<NAME>', 'name of the stream');
  return addSettingOptions(command, CLIENT_SETTINGS);
}

export function streamPath(name: string): string {
  const path = name.split('/').map(encodeURIComponent).join('/');
  if (path === '') throw new SondeError('USAGE', 'the name of the stream is missing');
  return `/v1/stream/${path}`;
}

export interface ReadPosition {
  readonly name: string;
  readonly offset: string;
  /** Whether to wait for new data at the tail. */
  readonly live: boolean;
}

/** Copies one page or one long-poll to stdout as it arrives. Returns where and whether to continue. */
export async function copyStream(
  context: CliContext,
  settings: Settings,
  { name, offset, live }: ReadPosition,
): Promise<{ offset: string; upToDate: boolean; closed: boolean }> {
  const query = new URLSearchParams({ offset, ...(live && { live: 'long-poll' }) });
  const response = await context.runtime.callServer(settings, {
    method: 'GET',
    path: `${streamPath(name)}?${query}`,
    scope: 'stream:read',
  });
  await copyBody(context, response);
  return {
    offset: response.header('stream-next-offset') ?? offset,
    upToDate: response.header('stream-up-to-date') === 'true',
    closed: response.header('stream-closed') === 'true',
  };
}

async function copyBody(context: CliContext, { body }: ApiReply): Promise<void> {
  for await (const piece of body) await context.terminal.stdout.write(piece);
}
