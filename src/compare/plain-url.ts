/**
 * Origin and path of an address that the URL parser would leave as it is, read off its text. Nearly every requested
 * and final URL is such, and parsing one costs more than a rule does. Whatever could be changed in parsing (other
 * cases, default ports, numeric and encoded hosts, escapes, dot segments) is left to the parser.
 */
import { tryUrl } from '../try-url.js';
export interface UrlParts {
  readonly origin: string;
  readonly pathname: string;
}

const PLAIN =
  /^(https?:\/\/(?:[a-z0-9][a-z0-9-]*\.)*[a-z][a-z0-9-]*(?::(?!80\/|443\/)(?:[1-5]\d{4}|[1-9]\d{0,3}))?)(\/[\w/~.-]*)(?=[?#]|$)/;

/** undefined where the text is no URL. */
export function urlParts(text: string): UrlParts | undefined {
  const plain = PLAIN.exec(text);
  const origin = plain?.[1];
  const pathname = plain?.[2];
  if (origin !== undefined && pathname !== undefined && !pathname.includes('/.') && !origin.includes('--')) {
    return { origin, pathname };
  }
  return tryUrl(text);
}
