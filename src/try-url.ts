/**
 * The one way to ask whether a text is a URL. `URL.canParse` of Node 20 gives wrong results for texts with letters
 * beyond ASCII once it has been called often enough (its fast path reads Latin-1 as UTF-8), so nothing else asks.
 */
export function tryUrl(text: string, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
