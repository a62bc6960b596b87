/**
 * Masks credentials that are recognized by the word before them: `Bearer …` and `Basic …`, netrc lines, SQL passwords
 * and the password flags of a few well-known programs. Some of these words are everyday ones ("basic
 * authentication"), so the value must look like a credential.
 */
import type { Mask } from './mask.js';

const SCHEME =
  /(?:bearer|basic)(?<=(?:^|[^A-Za-z]|\\[nrt]|%[0-9A-F]{2})(?:bearer|basic))(?:[ \t]{1,8}|%20|\+)([A-Za-z0-9\-._~+/%]{6,}={0,2})/gi;
const PHRASE_WORDS = /login\s|(?:password|identified by)\s{1,4}'|sshpass|mysql|redis-cli/i;
const PHRASES: readonly RegExp[] = [
  /\blogin\s{1,8}\S{1,128}\s{1,8}password\s{1,8}(\S{1,512})/gi,
  /\b(?:password|identified by)\s{1,4}'([^'\n]{1,256})/gi,
  /\bsshpass\s{1,4}-p\s{0,4}(\S{1,256})/g,
  /\bmysql(?:dump|admin)?\b[^\n|;]{0,80}?\s-p([^\s"']{1,256})/g,
  /\bdocker login\b[^\n|;]{0,80}?\s-p\s{1,4}(\S{1,512})/g,
  /\bredis-cli\b[^\n|;]{0,80}?\s-a\s{1,4}(\S{1,256})/g,
];

export function maskInlineCredentials(text: string, mask: Mask): void {
  mask.addMatches(SCHEME, (found) => {
    const [whole, value = ''] = found;
    const end = found.index + whole.length;
    // `Bearer realm="x"` is a challenge.
    if (/^\s*=\s*["\\]/.test(text.slice(end, end + 4))) return false;
    return /^basic/i.test(whole) ? looksBasic(value) : looksBearer(value);
  });
  if (!PHRASE_WORDS.test(text)) return;
  for (const pattern of PHRASES) mask.addMatches(pattern);
}

const looksBearer = (value: string): boolean =>
  value.length >= 20 || /\d/.test(value) || /[a-z][A-Z]/.test(value) || value.endsWith('=');

/** `user:password` in base64, or text that does not look like a word. */
function looksBasic(value: string): boolean {
  if (value.endsWith('=') || /\d/.test(value)) return true;
  try {
    const decoded = atob(value.slice(0, 1024).replaceAll('-', '+').replaceAll('_', '/'));
    return decoded.includes(':');
  } catch {
    return false;
  }
}
