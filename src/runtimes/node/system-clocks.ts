/**
 * The clocks of this machine. The monotonic one counts from the machine's start, so that processes of the same boot can
 * compare its values.
 */
import { readFileSync } from 'node:fs';
import process from 'node:process';
import type { Clocks } from '../../clock-watch.js';

const NS_PER_MS = 1e6;

export const systemClocks: Required<Clocks> = {
  wall: () => Date.now(),
  monotonic: () => Number(process.hrtime.bigint()) / NS_PER_MS,
  boot: readBoot(),
};

/** Only Linux has an id for each boot. Without one, a start is judged by the last trusted time. */
function readBoot(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim() || null;
  } catch {
    return null;
  }
}
