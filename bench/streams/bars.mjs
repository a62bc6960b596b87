// The bars for the figures, and which of them this run met.
import { short } from './stats.mjs';

/** @typedef {Record<string, { sonde: number, file: number, memory: number }>} Figures */
/** @typedef {{ label: string, figure: string, against: 'file' | 'memory' | 'none', atLeast?: number, atMost?: number }} Bar */

/** @type {Bar[]} */
const BARS = [
  { label: 'appends, 1 connection', figure: 'append 1', against: 'file', atLeast: 2.5 },
  { label: 'appends, 32 to distinct streams', figure: 'append 32 distinct', against: 'file', atLeast: 6 },
  { label: 'appends, 32 to one stream', figure: 'append 32 one', against: 'file', atLeast: 10 },
  { label: 'appends, 32 to distinct streams', figure: 'append 32 distinct', against: 'memory', atLeast: 0.6 },
  { label: 'appends, 32 to one stream', figure: 'append 32 one', against: 'memory', atLeast: 0.6 },
  { label: 'catch-up, 1 MB, first read', figure: 'catch-up 1 MB first', against: 'file', atLeast: 2 },
  { label: 'catch-up, 1 MB, second read', figure: 'catch-up 1 MB second', against: 'file', atLeast: 2 },
  { label: 'catch-up, 16 KB, first read', figure: 'catch-up 16 KB first', against: 'file', atLeast: 2 },
  { label: 'catch-up, 16 KB, second read', figure: 'catch-up 16 KB second', against: 'file', atLeast: 2 },
  { label: 'SSE to 1,000 readers, p99', figure: 'sse p99', against: 'file', atMost: 0.1 },
  { label: 'SSE to 1,000 readers, p99', figure: 'sse p99', against: 'memory', atMost: 1.2 },
  { label: 'idle SSE reader, KB of RSS', figure: 'idle KB', against: 'none', atMost: 25 },
];

/** Prints the bars for which this run has figures. @param {Figures} figures */
export function printBars(figures) {
  console.log('\nbars');
  for (const { label, figure, against, atLeast, atMost } of BARS) {
    const values = figures[figure];
    if (values === undefined) continue;
    const measured = against === 'none' ? values.sonde : values.sonde / values[against];
    const isMet = measured >= (atLeast ?? 0) && measured <= (atMost ?? Number.POSITIVE_INFINITY);
    const bar = atLeast === undefined ? `<= ${atMost}` : `>= ${atLeast}`;
    const peer = against === 'none' ? '' : `x ${against}`;
    console.log(
      `  ${isMet ? 'met   ' : 'missed'}  ${label.padEnd(32)} ${peer.padEnd(9)} ${bar.padEnd(7)} measured ${measured < 1 ? measured.toFixed(3) : short(measured)}`,
    );
  }
}
