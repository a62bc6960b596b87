/**
 * Masks userinfo in a URL of any scheme, also with escaped slashes or percent-encoded: `scheme://[REDACTED]@host`. A
 * password with a raw `/`, `?` or `#` breaks the URL's syntax, but people write them: if the text in place of the port
 * is not a number, the password extends to the `@`.
 */
import { closes } from './bare-value.js';
import { isSpace } from './char-classes.js';
import type { Mask } from './mask.js';

const OPENER = /\/\\{0,8}\/|%(?:25){0,3}2f%(?:25){0,3}2f/gi;
const REACH_MAX = 256;
const NONE = -1;
/** Schemes whose userinfo is only a login name: the key or password is never in the URL. */
const LOGIN_SCHEME = /(?:ssh|sftp|svn|scp|rsync)(?:\+\w{1,8})?:$/i;

export function maskUserinfo(text: string, mask: Mask): void {
  if (!text.includes('//') && !text.includes('\\/') && !/%(?:25){0,3}2f/i.test(text)) return;
  if (!text.includes('@') && !text.includes('%40') && !text.includes('2540')) return;
  OPENER.lastIndex = 0;
  for (let found = OPENER.exec(text); found !== null; found = OPENER.exec(text)) {
    const start = found.index + found[0].length;
    const end = found[0].startsWith('%') ? encodedEnd(text, start) : plainEnd(text, start);
    if (end > start && isCredential(text, { opener: found.index, start, end })) mask.add(start, end);
    OPENER.lastIndex = Math.max(start, end);
  }
}

/** The last `@` of the authority, or `NONE`. */
function plainEnd(text: string, start: number): number {
  const stop = authorityEnd(text, start);
  const last = text.slice(start, stop).lastIndexOf('@');
  if (last >= 0) return start + last;
  const colon = text.slice(start, Math.min(stop, start + REACH_MAX)).indexOf(':');
  if (colon <= 0 || !'/?#\\'.includes(text.charAt(stop))) return NONE;
  if (/^\d{0,5}$/.test(text.slice(start + colon + 1, stop)) || text.charAt(start) === '[') return NONE;
  let at = stop;
  const limit = Math.min(text.length, stop + REACH_MAX);
  while (at < limit && !isSpace(text.charCodeAt(at)) && !'"\'`<>@'.includes(text.charAt(at))) at += 1;
  return text.charAt(at) === '@' ? at : NONE;
}

function authorityEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length) {
    const character = text.charAt(at);
    if (isSpace(text.charCodeAt(at)) || '/?#"`<>\\'.includes(character)) break;
    // An apostrophe may be part of a password; one that closes a quotation ends the URL.
    if (character === "'" && closes(text, at + 1)) break;
    at += 1;
  }
  return at;
}

const ENCODED_STOP = /[\s"'<>&/?#@]|%(?:25){0,3}(?:2f|3f|23|26|40|20|22)/gi;

function encodedEnd(text: string, start: number): number {
  ENCODED_STOP.lastIndex = start;
  const stop = ENCODED_STOP.exec(text);
  if (stop === null || !/^(?:@|%(?:25){0,3}40)$/.test(stop[0])) return NONE;
  return stop.index;
}

function isCredential(text: string, site: { opener: number; start: number; end: number }): boolean {
  const userinfo = text.slice(site.start, Math.min(site.end, site.start + 512));
  if (/:|%(?:25){0,3}3a/i.test(userinfo)) return true;
  const scheme = text.slice(Math.max(0, site.opener - 16), site.opener);
  return /(?::|%3a)\\{0,8}$/i.test(scheme) && !LOGIN_SCHEME.test(scheme);
}
