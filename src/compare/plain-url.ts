/**
 * Reads the origin and path of a URL from its text if the URL parser would not change it. That is true for nearly all
 * requested and final URLs, and parsing one costs more than running a rule. Anything that parsing could change (upper
 * case, default ports, numeric and encoded hosts, escapes, dot segments) is left to the parser.
 */
import { tryUrl } from '../try-url.js';
export interface UrlParts {
  readonly origin: string;
  readonly pathname: string;
}

const PLAIN =
  /^(https?:\/\/(?:[a-z0-9][a-z0-9-]*\.)*[a-z][a-z0-9-]*(?::(?!80\/|443\/)(?:[1-5]\d{4}|[1-9]\d{0,3}))?)(\/[\w/~.-]*)(?=[?#]|$)/;

/** undefined if the text is not a URL. */
export function urlParts(text: string): UrlParts | undefined {
  const plain = PLAIN.exec(text);
  const origin = plain?.[1];
  const pathname = plain?.[2];
  if (origin !== undefined && pathname !== undefined && !pathname.includes('/.') && !origin.includes('--')) {
    return { origin, pathname };
  }
  return tryUrl(text);
}
