/**
 * Handles SIGINT, SIGTERM, SIGHUP (the terminal was closed), SIGQUIT and SIGUSR2 (some supervisors restart with it). Until a command claims them, SIGINT exits with
 * 130 and the others have their default effect. After that, the first signal is passed to the command, and a second one
 * ends the process at once.
 */
import process from 'node:process';
import { EXIT_CODES } from '../../cli/exit-codes.js';
import type { StopSignal } from '../../cli/ports.js';

const SIGNALS: readonly StopSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'];

const exitInterrupted = (): never => process.exit(EXIT_CODES.interrupted.code);

export interface StopSignals {
  claim(): Promise<StopSignal>;
}

export function listenForStopSignals(): StopSignals {
  process.on('SIGINT', exitInterrupted);
  return {
    claim: () =>
      new Promise((resolve) => {
        const first = (signal: StopSignal) => {
          for (const each of SIGNALS) {
            process.removeAllListeners(each);
            process.on(each, exitInterrupted);
          }
          resolve(signal);
        };
        process.off('SIGINT', exitInterrupted);
        for (const signal of SIGNALS) process.on(signal, () => first(signal));
      }),
  };
}
