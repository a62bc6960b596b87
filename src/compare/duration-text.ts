/** Seconds as text: `1 day`, `2 hours`, `90 s`. */
const UNITS: readonly (readonly [seconds: number, name: string])[] = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
];

export function durationText(seconds: number): string {
  for (const [length, name] of UNITS) {
    const count = seconds / length;
    if (count < 1 || !Number.isInteger(count)) continue;
    return count === 1 ? `1 ${name}` : `${count} ${name}s`;
  }
  return `${seconds} s`;
}
