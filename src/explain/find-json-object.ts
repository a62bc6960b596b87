/** Finds the first complete JSON object in a text. Models often wrap it in a code fence or add a sentence. */
const ATTEMPTS_MAX = 20;

export function findJsonObject(text: string): object | undefined {
  let from = text.indexOf('{');
  for (let attempt = 0; from >= 0 && attempt < ATTEMPTS_MAX; attempt += 1) {
    const end = closingBrace(text, from);
    const value = end < 0 ? undefined : tryParse(text.slice(from, end + 1));
    if (value !== undefined) return value;
    from = text.indexOf('{', from + 1);
  }
  return undefined;
}

function closingBrace(text: string, from: number): number {
  let depth = 0;
  let inString = false;
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    if (inString && char === '\\') at += 1;
    else if (char === '"') inString = !inString;
    else if (!inString && char === '{') depth += 1;
    else if (!inString && char === '}') {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return -1;
}

function tryParse(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === 'object' ? value : undefined;
  } catch {
    return undefined;
  }
}
