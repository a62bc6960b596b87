/** The text without the character it ends with, however often it does. Linear; `/x+$/` takes quadratic time. */
export function trimEnd(text: string, char: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === char) end--;
  return text.slice(0, end);
}
