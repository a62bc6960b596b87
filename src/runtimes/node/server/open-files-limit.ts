/**
 * How many connections the system's limit of open files allows. Without this, a limit below the configured number shows
 * only when connections are reset, also those of writes and health checks, for which connections are kept free.
 */
import { readFileSync } from 'node:fs';
import type { Log } from '../../../log.js';

/** Databases, logs, the listener and the threads. */
const OWN_FILES = 48;
/** Of the rest, for requests to upstreams and sites, DNS and cold segments. */
const OUTBOUND_SHARE = 1 / 4;

/** The hard limit, to which Node raises the soft one when it starts; undefined where the system does not tell. */
function openFilesMax(): number | undefined {
  try {
    const [, hard] = /^Max open files +\S+ +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return hard === undefined ? undefined : Number(hard);
  } catch {
    return undefined;
  }
}

export function connectionsWithinLimit(wanted: number, log: Log, files = openFilesMax()): number {
  if (files === undefined) return wanted;
  const possible = Math.max(1, Math.floor((files - OWN_FILES) * (1 - OUTBOUND_SHARE)));
  if (possible >= wanted) return wanted;
  const advice = 'raise the limit of open files (ulimit -n), or lower server.connectionsMax';
  log.warn('the limit of open files is too low for server.connectionsMax', {
    openFilesMax: files,
    connectionsMax: wanted,
    connectionsPossible: possible,
    advice,
  });
  return possible;
}
