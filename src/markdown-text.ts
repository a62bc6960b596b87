/** Text of strangers in Markdown. */

/** Escapes text so that it cannot add table cells, tags or links, or mention people, who would be notified. */
export function markdownText(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\\`*_{}[\]<>|#!]/g, '\\$&')
    .replaceAll(/@(?=\w)/g, '@<!-- -->');
}

/** A code span whose fence is longer than any run of backticks inside (CommonMark §6.1). */
export function codeSpan(text: string): string {
  const flat = text.replaceAll(/\s+/g, ' ');
  const longest = Math.max(0, ...[...flat.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const pad = flat.startsWith('`') || flat.endsWith('`') || flat === '' ? ' ' : '';
  return `${fence}${pad}${flat}${pad}${fence}`;
}
