/**
 * Text of strangers, made safe to print. Whatever could act on a terminal, reorder or hide text, or be obeyed by the
 * runner of a pipeline is shown as an escape of the form \u001b. That is also JSON's own escape, so a JSON document
 * that passes through keeps its meaning. The result is always the same after a second pass.
 */

/**
 * C0 except tab and line ends, DEL, C1; bidirectional controls; line and paragraph separators; lone surrogates;
 * characters without width; interlinear annotations, tags and variation selectors beyond the BMP; noncharacters. The
 * joiners stay between letters and emoji that need them, but not beside ASCII.
 */
const UNPRINTABLE = new RegExp(
  [
    String.raw`[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]`,
    String.raw`\r(?!\n)`,
    String.raw`[\u061c\u200e\u200f\u2028-\u202e\u2060-\u206f]`,
    String.raw`[\u034f\u115f\u1160\u17b4\u17b5\u180e\u200b\u3164\ufeff\uffa0\ufff9-\ufffb]`,
    String.raw`[\u{e0000}-\u{e0fff}]`,
    String.raw`\p{Cs}`,
    String.raw`\p{Noncharacter_Code_Point}`,
    String.raw`[\u200c\u200d](?:$|(?=[\0-\x7f]))`,
    String.raw`(?<=^|[\0-\x7f])[\u200c\u200d]`,
  ].join('|'),
  'gu',
);

/**
 * Commands that runners obey: `##[…]`, `##vso[…]` and `##teamcity[…]` anywhere, `::…` at the start of a line (GitHub;
 * white space before it is what .NET trims), and the group headers of Buildkite at the start of a line.
 */
const RUNNER_COMMAND = new RegExp(
  [
    String.raw`##(?=[a-z]*\[)`,
    // The lookbehind comes after the colon, so that long runs of spaces are not walked again and again.
    String.raw`:(?<=^[\p{Zs}\t]*:)(?=:)`,
    String.raw`^(?:-(?=--[ \t])|\+(?=\+\+[ \t])|~(?=~~[ \t]))`,
  ].join('|'),
  'gimu',
);

const escapeUnits = (text: string): string => {
  let escaped = '';
  for (let at = 0; at < text.length; at += 1)
    escaped += `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`;
  return escaped;
};

/** Keeps tabs and line ends. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, escapeUnits).replace(RUNNER_COMMAND, breakCommand);
}

function breakCommand(start: string): string {
  return start.slice(0, -1) + escapeUnits(start.slice(-1));
}

/** A line end in text of a stranger must not begin a line of ours. */
export function oneLine(text: string): string {
  return text.replace(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, ' ');
}

export function printableLine(text: string): string {
  return printable(oneLine(text));
}
