/**
 * Masks JSON Web Tokens: signed, unsigned and encrypted, whole or truncated, and wrapped once more in base64.
 * Hand-written scanner: a regular expression would take quadratic time on a text of `eyJeyJeyJ…`.
 */
import { isBase64Url, skipRun } from './char-classes.js';
import type { Mask } from './mask.js';

const PARTS_MAX = 5;
const HEADER_MIN = 12;
/** The base64 forms of `{"alg":`, `{"typ":`, `{"kid":`, `{"enc":` and the like at the start of a token. */
const HEADER = /^eyJ(?:hbGci|0eXAi|raWQi|lbmMi|jdHki|6aXAi)/;
const WRAPPED = /ZXlK[A-Za-z0-9+/_-]{40,}={0,2}/g;

export function maskWebTokens(text: string, mask: Mask): void {
  for (let at = text.indexOf('eyJ'); at >= 0; ) {
    const run = skipRun(text, at, isBase64Url);
    const end = tokenEnd(text, at, run);
    if (end > at) mask.add(at, end);
    // A later `eyJ` of the same run would end in the same place, so no run is scanned twice.
    at = text.indexOf('eyJ', Math.max(run, end));
  }
  if (text.includes('ZXlK')) mask.addMatches(WRAPPED);
}

function tokenEnd(text: string, start: number, run: number): number {
  if (run - start < HEADER_MIN) return start;
  let end = run;
  let parts = 1;
  while (parts < PARTS_MAX && text.charAt(end) === '.') {
    const next = skipRun(text, end + 1, isBase64Url);
    // An empty part is valid in the middle (a direct JWE) and at the end of an unsigned token.
    if (next === end + 1 && text.charAt(next) !== '.' && parts === 1) break;
    end = next;
    parts += 1;
  }
  const payload = text.startsWith('eyJ', run + 1);
  return parts >= 3 || payload || HEADER.test(text.slice(start, start + 8)) ? end : start;
}
