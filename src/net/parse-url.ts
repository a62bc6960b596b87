/**
 * The one place where text becomes a URL. It is parsed once, by the WHATWG parser, and everything later is
 * judged on that result; the text itself is checked only for what the parser drops silently:
 * surrounding blanks and controls, tabs and line breaks inside, and an empty `@` before the host.
 */
import type { Refusal } from './refusal.js';

export type ParsedUrl =
  | { readonly ok: true; readonly url: URL }
  | { readonly ok: false; readonly refusal: Refusal };

const URL_MAX = 8192;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that the parser strips
const STRIPPED = /^[\u0000-\u0020]|[\u0000-\u0020]$|[\t\n\r]/;
const NO_HOST = /^https?:[\\/]*(?:[?#]|$)/i;
/** The authority of an absolute or scheme-relative reference; the parser reads `\` as `/`. */
const AUTHORITY = /^(?:https?:)?[\\/]{2,}([^\\/?#]*)|^https?:([^\\/?#]*)/i;

/** `base` is given for a redirect's `Location`. */
export function parseUrl(text: string, base?: URL): ParsedUrl {
  if (text.length > URL_MAX) return invalid('too_long', `the URL is longer than ${URL_MAX} characters`);
  if (STRIPPED.test(text))
    return invalid('blank_or_control', 'the URL contains spaces or control characters');
  let url: URL;
  try {
    url = new URL(text, base);
  } catch {
    return NO_HOST.test(text)
      ? invalid('no_hostname', 'the URL has no host')
      : invalid('unparsable', 'the text is not a URL');
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return invalid('invalid_scheme', `only http and https are allowed, not ${url.protocol.slice(0, -1)}`);
  }
  if (url.hostname === '') return invalid('no_hostname', 'the URL has no host');
  if (url.username !== '' || url.password !== '' || hasUserinfo(text)) {
    return invalid('userinfo', 'credentials in a URL are not allowed');
  }
  return { ok: true, url };
}

function hasUserinfo(text: string): boolean {
  const match = AUTHORITY.exec(text);
  return (match?.[1] ?? match?.[2] ?? '').includes('@');
}

function invalid(rule: string, message: string): ParsedUrl {
  return { ok: false, refusal: { code: 'invalid_url', step: 'url', rule, message } };
}
