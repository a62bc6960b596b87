/**
 * The form of one part of a setting, for parts whose row would only show the form of the whole. A schema carries it as
 * its error message, behind a mark by which it is told from the library's own messages.
 */
const MARK = '\u0000expected ';

/** For the last argument of a schema or a check. */
export function ownForm(form: string): { readonly error: string } {
  return { error: MARK + form };
}

interface Issue {
  readonly code: string | undefined;
  readonly message: string;
  readonly keys?: readonly string[];
}

/** Undefined if the row's form describes the problem best. */
export function formOf(issue: Issue): string | undefined {
  if (issue.code === 'unrecognized_keys') return `only known fields, without ${issue.keys?.join(', ')}`;
  return issue.message.startsWith(MARK) ? issue.message.slice(MARK.length) : undefined;
}
