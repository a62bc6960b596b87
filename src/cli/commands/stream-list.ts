/** `sonde stream list`: lists the streams and proxied responses of a server, newest first. */
import { type Command, Option } from 'commander';
import type { StreamPage } from '../../api/views/listed-stream.js';
import { SondeError } from '../../errors.js';
import { oneLine } from '../../printable.js';
import { type CliContext, printJson, printNote, printText } from '../cli-context.js';
import { loadSettings } from '../load-settings.js';
import { CLIENT_SETTINGS, callJson } from '../server-json.js';
import { addSettingOptions } from '../setting-options.js';

/** The largest page of the API. */
const PAGE_MAX = 200;
const LIMIT_MAX = 10_000;

interface Filter {
  readonly kind?: string;
  readonly state?: string;
  readonly prefix?: string;
}

function readLimit(text: string): number {
  const limit = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= LIMIT_MAX) return limit;
  throw new SondeError('USAGE', `--limit: expected a number from 1 to ${LIMIT_MAX}, got "${text}"`);
}

/** A page can be short and still have a next page, so pages are read until there are enough streams. */
async function listStreams(
  getPage: (path: string) => Promise<StreamPage>,
  { limit, ...filter }: Filter & { limit: number },
): Promise<StreamPage> {
  const streams: StreamPage['streams'] = [];
  let next: string | null = null;
  do {
    const count = String(Math.min(PAGE_MAX, limit - streams.length));
    const query = new URLSearchParams({ ...filter, limit: count, ...(next !== null && { cursor: next }) });
    const page = await getPage(`/api/streams?${query}`);
    streams.push(...page.streams);
    next = page.next;
  } while (next !== null && streams.length < limit);
  return { streams, next };
}

function streamLine({ paint }: CliContext, stream: StreamPage['streams'][number]): string {
  const { id, state, bytes, createdAt } = stream;
  const shown = ((stream.kind === 'response' && stream.outcome) || state).padEnd(9);
  const line = `${createdAt}  ${paint(state === 'open' ? 'accent' : 'muted', shown)}  ${String(bytes).padStart(12)}  ${id}`;
  return oneLine(stream.kind === 'response' ? `${line}  ${stream.method} ${stream.upstreamUrl}` : line);
}

export function addStreamList(parent: Command, context: CliContext): void {
  const command = parent
    .command('list')
    .description('list streams and proxied responses, newest first')
    .addOption(new Option('--kind <KIND>', 'only streams, or only responses').choices(['stream', 'response']))
    .addOption(new Option('--state <STATE>', 'only entries in this state').choices(['open', 'closed']))
    .option('--prefix <TEXT>', 'only streams whose name begins with this, in the order of their names')
    .option('--limit <COUNT>', 'maximum number of streams', '50')
    .action(async ({ limit, ...filter }: Filter & { limit: string }, self: Command) => {
      const { kind, state, prefix } = filter;
      const query = { ...(kind && { kind }), ...(state && { state }), ...(prefix && { prefix }) };
      const { settings } = await loadSettings(context, self);
      const getPage = (path: string): Promise<StreamPage> =>
        callJson(context, settings, { method: 'GET', path, scope: ['stream:read', 'proxy:read'] });
      const page = await listStreams(getPage, { ...query, limit: readLimit(limit) });
      if (context.json) return printJson(context, { ...page });
      for (const stream of page.streams) await printText(context, streamLine(context, stream));
      if (page.streams.length === 0) return printNote(context, 'no streams');
      if (page.next !== null) await printNote(context, 'more streams exist; raise --limit to list them');
    });
  addSettingOptions(command, CLIENT_SETTINGS);
}
