/**
 * Whether the text consists of these literals with anything in between. Each literal is matched at its first
 * occurrence, which leaves the most room for the rest, so there is no backtracking and the text is read once.
 */
export function matchesLiterals([first = '', ...rest]: readonly string[], text: string): boolean {
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const literal of rest) {
    const found = text.indexOf(literal, at);
    if (found === -1) return false;
    at = found + literal.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}
