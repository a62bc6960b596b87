// Processor time according to the kernel.
import { readdirSync, readFileSync } from 'node:fs';

/** `USER_HZ` of Linux, on every architecture that Node runs on. */
const MS_PER_TICK = 10;

/** Returns the user and system time of all threads of these processes so far. @param {number[]} pids */
export function cpuMs(...pids) {
  return pids.reduce((sum, pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    return sum + (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
  }, 0);
}

/** The same to the nanosecond, without threads that have ended. @param {number} pid */
export function preciseCpuMs(pid) {
  return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => {
    const [ns] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
    return sum + Number(ns) / 1e6;
  }, 0);
}
