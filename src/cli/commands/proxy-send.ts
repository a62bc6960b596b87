/** `sonde proxy send`: sends a request through a server, which stores the response, and prints it as it arrives. */
import type { Command } from 'commander';
import type { Settings } from '../../config/settings.js';
import { SondeError } from '../../errors.js';
import { type CliContext, printJson, printNote } from '../cli-context.js';
import { EXIT_CODES } from '../exit-codes.js';
import { collect } from '../header-options.js';
import { loadSettings } from '../load-settings.js';
import type { ApiReply, ServerCall } from '../ports.js';
import { copyResponse, parseSignedUrl, withRetries } from '../proxy-client.js';
import { readStdin } from '../read-stdin.js';
import { CLIENT_SETTINGS } from '../server-json.js';
import { addSettingOptions } from '../setting-options.js';

interface SendOptions {
  readonly request?: string;
  readonly header: readonly string[];
  readonly upstreamAuth?: string;
  readonly body?: string;
  readonly key?: string;
  readonly orphanPolicy?: string;
}

const HEADER = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*)$/;

export function addProxySend(parent: Command, context: CliContext): void {
  const command = parent
    .command('send')
    .description('send a request through the server and print the response as it arrives')
    .argument('<URL>', "URL to call; the server's proxy.allow setting must include it")
    .option('-X, --request <METHOD>', 'method (default: GET, or POST with -d)')
    .option(
      '-H, --header <HEADER>',
      'a header for the upstream, as "Name: value"; may be repeated',
      collect,
      [],
    )
    .option('--upstream-auth <VALUE>', 'Authorization for the upstream, such as "Bearer KEY"')
    .option('-d, --body <TEXT>', 'request body; - reads it from stdin')
    .option('--key <KEY>', 'idempotency key; a repeated key returns the same response (default: a new key)')
    .option(
      '--orphan-policy <POLICY>',
      'what to do when nobody is reading: keep, or cancel-after= followed by a time',
    );
  addSettingOptions(command, CLIENT_SETTINGS).action(
    async (url: string, options: SendOptions, self: Command) => {
      const { settings } = await loadSettings(context, self);
      await send(context, settings, await callOf(context, url, options));
    },
  );
}

async function callOf(context: CliContext, url: string, options: SendOptions): Promise<ServerCall> {
  const { body: text, request, upstreamAuth, orphanPolicy, key = crypto.randomUUID() } = options;
  const body = text === '-' ? await readStdin(context) : text && new TextEncoder().encode(text);
  return {
    method: 'POST',
    path: '/v1/proxy',
    scope: 'proxy:create',
    headers: {
      ...Object.fromEntries(options.header.map(readHeader)),
      'upstream-url': url,
      'upstream-method': request ?? (body === undefined ? 'GET' : 'POST'),
      'idempotency-key': key,
      ...(upstreamAuth !== undefined && { 'upstream-authorization': upstreamAuth }),
      ...(orphanPolicy !== undefined && { 'orphan-policy': orphanPolicy }),
    },
    ...(body && { body }),
    accepts: [502],
  };
}

function readHeader(text: string): [string, string] {
  const [, name, value = ''] = HEADER.exec(text) ?? [];
  if (name === undefined) throw new SondeError('USAGE', 'a header has the form "Name: value"');
  return [name.toLowerCase(), value];
}

async function send(context: CliContext, settings: Settings, call: ServerCall): Promise<void> {
  const response = await withRetries(() => context.runtime.callServer(settings, call));
  if (response.status === 502) return printUpstreamError(context, response);
  await drain(response);
  const location = response.header('location') ?? '';
  const status = Number(response.header('upstream-status'));
  if (context.json) {
    const contentType = response.header('upstream-content-type');
    return printJson(context, { location, upstreamStatus: status, upstreamContentType: contentType });
  }
  await printNote(
    context,
    `upstream responded with ${status}; resume with: sonde proxy resume '${location}'`,
  );
  // Read from the configured server, even if its URLs use another name.
  const signed = parseSignedUrl(settings, location);
  await copyResponse(context, { ...signed, settings }, '-1');
}

/** The upstream's error body is printed like a response; the exit code shows the failure. */
async function printUpstreamError(context: CliContext, response: ApiReply): Promise<void> {
  for await (const piece of response.body) await context.terminal.stdout.write(piece);
  await printNote(context, `upstream responded with ${response.header('upstream-status')}`);
  context.exitCode = EXIT_CODES.target.code;
}

async function drain({ body }: ApiReply): Promise<void> {
  for await (const _piece of body);
}
