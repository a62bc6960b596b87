/**
 * The only function that checks whether a text is a URL. `URL.canParse` in Node 20 returns wrong results for texts with
 * non-ASCII letters once it has been called often enough (its fast path reads Latin-1 as UTF-8), so it is not used.
 */
export function tryUrl(text: string, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
