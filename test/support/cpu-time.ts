/**
 * Processor time that `work` takes in this process, in milliseconds. The clock would also count the time in which other
 * processes ran.
 */
export function cpuMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
