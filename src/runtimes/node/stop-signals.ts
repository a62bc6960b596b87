/**
 * Stop signals: SIGINT, SIGTERM, SIGHUP (the terminal went away) and SIGQUIT. Unclaimed, SIGINT ends the process with
 * 130 and the others do what they do by default. Claimed, the first of any is handed over and a second one ends the
 * process at once. A signal that the parent ignores for us, as `nohup` does, stays ignored.
 */
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import process from 'node:process';
import { EXIT_CODES } from '../../cli/exit-codes.js';
import type { StopSignal } from '../../cli/ports.js';

const SIGNALS: readonly StopSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'];

const exitInterrupted = (): never => process.exit(EXIT_CODES.interrupted.code);

export interface StopSignals {
  claim(): Promise<StopSignal>;
}

export function listenForStopSignals(): StopSignals {
  const ignored = ignoredSignals();
  const signals = SIGNALS.filter((signal) => !ignored.has(signal));
  process.on('SIGINT', exitInterrupted);
  return {
    claim: () =>
      new Promise((resolve) => {
        const first = (signal: StopSignal) => {
          for (const each of signals) {
            process.removeAllListeners(each);
            process.on(each, exitInterrupted);
          }
          resolve(signal);
        };
        process.off('SIGINT', exitInterrupted);
        for (const signal of signals) process.on(signal, () => first(signal));
      }),
  };
}

/** As the process was started with; other systems than Linux do not say. */
function ignoredSignals(): ReadonlySet<StopSignal> {
  let mask: bigint;
  try {
    const [, hex = '0'] = /^SigIgn:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
    mask = BigInt(`0x${hex}`);
  } catch {
    return new Set();
  }
  const isIgnored = (signal: StopSignal) => (mask >> BigInt(constants.signals[signal] - 1)) & 1n;
  return new Set(SIGNALS.filter((signal) => signal !== 'SIGINT' && isIgnored(signal) === 1n));
}
