/**
 * Text of strangers, made safe to print. Whatever could act on a terminal, reorder or hide text, or be obeyed by the
 * runner of a pipeline is shown as an escape of the form \u001b. That is also JSON's own escape, so a JSON document
 * that passes through keeps its meaning. The result is always the same after a second pass.
 */

/**
 * C0 except tab and line ends, DEL, C1; bidirectional controls; line and paragraph separators; characters without
 * width; interlinear annotations; tags and variation selectors beyond the BMP.
 */
const CONTROLS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these are to be shown
  /\u034f|[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu;
/** Halves of surrogate pairs, and noncharacters. */
const NO_CHARACTERS = /[\p{Cs}\p{Noncharacter_Code_Point}]/gu;
const LONE_RETURN = /\r(?!\n)/g;
/** Joiners stay between letters and emoji that need them, but not beside ASCII. */
const IDLE_JOINER = /[\u200c\u200d](?![^\0-\x7f])|(?<![^\0-\x7f])[\u200c\u200d]/gu;

/** Commands that runners obey anywhere in a line: `##[…]`, `##vso[…]`, `##teamcity[…]`. */
const COMMAND = /##(?=[a-z]*\[)/gi;
/** GitHub's commands begin a line; white space before them is what .NET trims. */
const LINE_COMMAND = /:(?<=^[\p{Zs}\t]*:)(?=:)/gmu;
/** Buildkite's group headers. */
const GROUP = /^(?:-(?=--[ \t])|\+(?=\+\+[ \t])|~(?=~~[ \t]))/gm;

const escapeUnits = (text: string): string => {
  let escaped = '';
  for (let at = 0; at < text.length; at += 1)
    escaped += `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`;
  return escaped;
};

/** Keeps tabs and line ends. */
export function printable(text: string): string {
  return text
    .replace(CONTROLS, escapeUnits)
    .replace(NO_CHARACTERS, escapeUnits)
    .replace(LONE_RETURN, escapeUnits)
    .replace(IDLE_JOINER, escapeUnits)
    .replace(COMMAND, '#\\u0023')
    .replace(LINE_COMMAND, escapeUnits)
    .replace(GROUP, escapeUnits);
}

/** A line end in text of a stranger must not begin a line of ours. */
export function oneLine(text: string): string {
  return text.replace(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, ' ');
}

export function printableLine(text: string): string {
  return printable(oneLine(text));
}
