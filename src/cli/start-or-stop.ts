/** What the stop signals of the process end. */
import { SondeError } from '../errors.js';
import type { Runtime, StopSignal } from './ports.js';

/** The first Ctrl-C ends the run with a partial report; a second one ends the process. */
export function abortOnSignal(runtime: Runtime): AbortSignal {
  const stop = new AbortController();
  void runtime
    .claimStopSignal()
    .then((signal) => stop.abort(new SondeError('canceled', `stopped by ${signal}`)));
  return stop.signal;
}

/** Starts a server or worker. A stop signal ends a start that waits for a database; started parts are stopped again. */
export async function startOrStop<T extends { stop(): Promise<unknown> }>(
  starting: Promise<T>,
  stopSignal: Promise<StopSignal>,
): Promise<T | 'stopped'> {
  const first = await Promise.race([starting, stopSignal]);
  if (typeof first !== 'string') return first;
  const stopped = starting.then(
    (started) => started.stop(),
    () => undefined,
  );
  await Promise.race([stopped, new Promise((resolve) => setTimeout(resolve, STOP_MS))]);
  return 'stopped';
}

/** A start that still waits after this time ends with the process. */
const STOP_MS = 2_000;
