/**
 * The one place that parses URLs. The WHATWG parser parses the text once, and every later check uses that result.
 * The text itself is checked only for what the parser drops silently: leading and trailing spaces and control
 * characters, tabs and line breaks inside, and an empty userinfo (`@` right before the host).
 */
import type { Refusal } from './refusal.js';

export type ParsedUrl =
  | { readonly ok: true; readonly url: URL }
  | { readonly ok: false; readonly refusal: Refusal };

const URL_MAX = 8192;
const BARE_HOST_MAX = 300;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that the parser strips
const STRIPPED = /^[\u0000-\u0020]|[\u0000-\u0020]$|[\t\n\r]/;
const NO_HOST = /^https?:[\\/]*(?:[?#]|$)/i;
/** The authority of an absolute or scheme-relative reference; the parser reads `\` as `/`. */
const AUTHORITY = /^(?:https?:)?[\\/]{2,}([^\\/?#]*)|^https?:([^\\/?#]*)/i;

/** `base` is set for a redirect's `Location`. */
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
      : invalid('unparsable', 'the text is not a URL', suggestUrl(text));
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    const message = `only http and https are allowed, not ${url.protocol.slice(0, -1)}`;
    return invalid('invalid_scheme', message, base ? undefined : suggestUrl(text));
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

/** A URL without a scheme, as people type it. A query is never matched: the suggestion must not repeat a credential. */
const BARE_HOST =
  /^(?:(localhost|127\.0\.0\.1)|[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8})(?::\d{1,5})?(?:\/[\w./~-]*)?$/i;

function suggestUrl(text: string): string | undefined {
  const match = text.length > BARE_HOST_MAX ? null : BARE_HOST.exec(text);
  return match ? `${match[1] === undefined ? 'https' : 'http'}://${text}` : undefined;
}

function invalid(rule: string, message: string, suggest?: string): ParsedUrl {
  const suggestion = suggest === undefined ? {} : { suggest };
  return { ok: false, refusal: { code: 'invalid_url', step: 'url', rule, message, ...suggestion } };
}
