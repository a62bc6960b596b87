/**
 * SIGINT and SIGTERM. Unclaimed, SIGINT ends the process with 130 and SIGTERM does what it does by
 * default. Claimed, the first of either is handed over and a second one ends the process at once.
 */
import process from 'node:process';
import { EXIT_CODES } from '../../cli/exit-codes.js';
import type { StopSignal } from '../../cli/ports.js';

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
          for (const each of ['SIGINT', 'SIGTERM'] as const) {
            process.removeAllListeners(each);
            process.on(each, exitInterrupted);
          }
          resolve(signal);
        };
        process.off('SIGINT', exitInterrupted);
        process.on('SIGINT', () => first('SIGINT'));
        process.on('SIGTERM', () => first('SIGTERM'));
      }),
  };
}
