// Prints rows of the growth benchmark: each figure at three sizes, and the exponent between the first and the last.
import { short } from '../streams/stats.mjs';

/** @param {string} label @param {readonly number[]} values @param {string} rest */
export function line(label, values, rest = '') {
  const [first = 1] = values;
  const last = values.at(-1) ?? 1;
  const exponent = Math.log(Math.max(last, 0.01) / Math.max(first, 0.01)) / Math.log(100);
  console.log(
    `growth  ${label.padEnd(38)} ${values.map(short).join(' / ').padEnd(24)} e ${exponent.toFixed(2)}  ${rest}`,
  );
}

/** @param {boolean} met @param {string} text */
export function bar(met, text) {
  console.log(`growth  ${met ? 'met   ' : 'MISSED'}  ${text}`);
}
