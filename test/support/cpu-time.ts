/**
 * Returns the processor time that `work` takes in this process, in milliseconds. Wall-clock time would include the time
 * in which other processes ran.
 */
export function cpuMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
