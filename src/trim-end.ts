/** Removes all occurrences of a character from the end of a text, in linear time; `/x+$/` takes quadratic time. */
export function trimEnd(text: string, char: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === char) end--;
  return text.slice(0, end);
}
