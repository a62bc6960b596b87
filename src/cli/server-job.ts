/** Work that a command runs on a server: creates it, follows its events, and reads the result when it has ended. */
import type { JobEventView } from '../api/views/job.js';
import type { Settings } from '../config/settings.js';
import { SondeError } from '../errors.js';
import type { Scope } from '../scopes.js';
import { type CliContext, printNote } from './cli-context.js';
import type { ServerCall } from './ports.js';

export interface ServerWork {
  readonly settings: Settings;
  /** Path of the resource, such as `/api/audits/{id}`. */
  readonly path: string;
  readonly scope: readonly Scope[];
  progress(event: { readonly percent: number; readonly message: string }): void;
}

export const jsonCall = (
  path: string,
  scope: readonly Scope[],
  body: Readonly<Record<string, unknown>>,
): ServerCall => ({
  method: 'POST',
  path,
  scope,
  headers: { 'content-type': 'application/json' },
  body: new TextEncoder().encode(JSON.stringify(body)),
});

/** Resolves when the work has ended. After a stop signal it rejects, and the work continues on the server. */
export async function followWork(context: CliContext, work: ServerWork): Promise<void> {
  const stopped = context.runtime.claimStopSignal().then(async () => {
    await printNote(context, `the server continues: ${work.settings.client.server}${work.path}`);
    throw new SondeError('canceled', 'stopped following');
  });
  // A signal after the end has no effect; without this, its rejection would be unhandled.
  stopped.catch(() => {});
  await Promise.race([untilEnded(context, work), stopped]);
}

/** A stream of events ends after about a minute; the next one continues after the last event, and 204 is the end. */
async function untilEnded(
  context: CliContext,
  { settings, path, scope, progress }: ServerWork,
): Promise<void> {
  let after = 0;
  for (;;) {
    const reply = await context.runtime.callServer(settings, {
      method: 'GET',
      path: `${path}/events?after=${after}`,
      scope,
      headers: { accept: 'text/event-stream' },
    });
    if (reply.status === 204) return;
    for await (const event of parseEvents(reply.body)) {
      after = event.seq;
      if (event.progress !== null) progress({ percent: event.progress, message: event.message ?? '' });
    }
  }
}

async function* parseEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<JobEventView> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of body) {
    text += decoder.decode(piece, { stream: true });
    const frames = text.split('\n\n');
    text = frames.pop() ?? '';
    for (const frame of frames) {
      const data = /^data: ?(.*)$/m.exec(frame)?.[1];
      if (data !== undefined) yield JSON.parse(data) as JobEventView;
    }
  }
}

/** Whether the command should run on a server: only if the flag `--server` was given, not a variable or a file. */
export const runsOnServer = (command: { getOptionValueSource(name: string): string | undefined }): boolean =>
  command.getOptionValueSource('server') === 'cli';
