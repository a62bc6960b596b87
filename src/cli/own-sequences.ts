/**
 * What Sonde itself tells a terminal or a runner: colours, the line of progress that is rewritten, and annotations.
 * Each is written as a mark that contains a random number of this process, so that text of a stranger can never be
 * taken for one. `showOwn` turns the marks into sequences and everything else into printable text.
 */
import { printable } from '../printable.js';

const MARK = `\u001b${crypto.randomUUID()}`;

/** Sets a colour or a weight of the terminal (SGR). */
export const ownStyle = (code: number): string => `${MARK}${code}m`;

/** Returns to the start of the line and erases it. */
export const OWN_REWRITE = `${MARK}K`;

/** Marks each line as a command of GitHub's runner. Every line of `text` has to be one, with its text escaped. */
export const ownCommands = (text: string): string => text.replace(/^::/gm, `${MARK}::`);

const OWN = new RegExp(`${MARK}(\\d{1,2}m|K|::)`);

const SEQUENCES: Readonly<Record<string, string>> = { K: '\r\u001b[2K', '::': '::' };

export function showOwn(text: string): string {
  // The group makes every second part the end of a mark.
  return text
    .split(OWN)
    .map((part, at) => (at % 2 === 0 ? printable(part) : (SEQUENCES[part] ?? `\u001b[${part}`)))
    .join('');
}
