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

const SEQUENCE = /^(?:\d{1,2}m|K|::)/;

const SPECIAL: Readonly<Record<string, string>> = { K: '\r\u001b[2K', '::': '::' };

export function showOwn(text: string): string {
  const [before = '', ...marked] = text.split(MARK);
  return printable(before) + marked.map(showMarked).join('');
}

/** What follows a mark: the name of a sequence, then text. */
function showMarked(text: string): string {
  const name = SEQUENCE.exec(text)?.[0] ?? '';
  const sequence = name === '' ? '' : (SPECIAL[name] ?? `\u001b[${name}`);
  return sequence + printable(text.slice(name.length));
}
