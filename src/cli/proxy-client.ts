/**
 * Shared by the proxy commands: retries after lost connections, and following a response to its end. Printed bytes are
 * counted, so that no byte is printed twice or left out.
 */
import type { Settings } from '../config/settings.js';
import { asSondeError, SondeError } from '../errors.js';
import { tryUrl } from '../try-url.js';
import { type CliContext, printNote } from './cli-context.js';
import type { ServerCall } from './ports.js';

const RETRIES_MAX = 8;
const WAIT_MS = 250;
const WAIT_MS_MAX = 10_000;
/** How often a create in progress is polled; long enough for the slowest upstream. */
const IN_PROGRESS_MAX = 600;
const IN_PROGRESS_MS = 1_000;

/** Retries `work` while that may help, up to a limit that starts over when `progress` grows. */
export async function withRetries<T>(work: () => Promise<T>, progress: () => number = () => 0): Promise<T> {
  let failures = 0;
  let polls = 0;
  for (;;) {
    const before = progress();
    try {
      return await work();
    } catch (thrown) {
      const error = asSondeError(thrown);
      if (progress() > before) failures = 0;
      const isInProgress = error.code === 'CREATE_IN_PROGRESS' && ++polls <= IN_PROGRESS_MAX;
      if (!isInProgress && (!canRetry(error) || ++failures > RETRIES_MAX)) throw error;
      await pause(isInProgress ? IN_PROGRESS_MS : Math.min(WAIT_MS * 2 ** failures, WAIT_MS_MAX));
    }
  }
}

/** An error response from the server is final; only a missing response is retried. */
function canRetry({ code, facts }: SondeError): boolean {
  return facts.retryable && code === code.toLowerCase();
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

export interface SignedResponse {
  readonly settings: Settings;
  /** Path and query, which contain the credential. */
  readonly path: string;
}

/** The request is sent to the server in the signed URL, without any other credential. */
export function parseSignedUrl(settings: Settings, text: string): SignedResponse {
  const url = tryUrl(text);
  const signed = url?.searchParams.has('expires') && url.searchParams.has('signature');
  if (!url || !signed || !/^https?:$/.test(url.protocol)) {
    throw new SondeError('USAGE', 'this is not a signed URL; use the one printed by sonde proxy send');
  }
  const client = { ...settings.client, server: url.origin };
  return { settings: { ...settings, client }, path: url.pathname + url.search };
}

/** Prints the response from an offset to its end, as it arrives. Throws unless it ends as completed. */
export async function copyResponse(
  context: CliContext,
  { settings, path }: SignedResponse,
  offset: string,
): Promise<void> {
  let bytes = 0;
  const follow = async (): Promise<string | undefined> => {
    const query = new URLSearchParams({ offset, skip: String(bytes), live: 'raw' });
    const call: ServerCall = { method: 'GET', path: `${path}&${query}` };
    const response = await context.runtime.callServer(settings, call);
    for await (const piece of response.body) {
      await context.terminal.stdout.write(piece);
      bytes += piece.length;
    }
    if (response.header('stream-closed') !== 'true') return undefined;
    const outcome = response.header('upstream-outcome') ?? 'failed';
    const why = response.header('upstream-error');
    return why === undefined ? outcome : `${outcome}, ${why}`;
  };
  let outcome: string | undefined;
  while (outcome === undefined) outcome = await withRetries(follow, () => bytes);
  if (outcome !== 'completed') {
    throw new SondeError('UPSTREAM_ERROR', `the response ended after ${bytes} bytes: ${outcome}`);
  }
  await printNote(context, `completed, ${bytes} bytes`);
}
