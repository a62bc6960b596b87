/**
 * Masks armoured private keys: PEM, OpenSSH, PGP and PuTTY, with real or escaped line breaks, and PEM wrapped in
 * base64. A block without an end extends to the end of the text, so that no part of a truncated key remains. Public
 * keys and certificates are left alone.
 */
import type { Mask } from './mask.js';

const BEGIN =
  /-{4,5} ?BEGIN(?:[ +_]|%20)(?:[A-Z0-9]{1,12}(?:[ +_]|%20)){0,4}PRIVATE(?:[ +_]|%20)KEY(?:(?:[ +_]|%20)BLOCK)? ?-{4,5}/g;
const END =
  /-{4,5} ?END(?:[ +_]|%20)(?:[A-Z0-9]{1,12}(?:[ +_]|%20)){0,4}PRIVATE(?:[ +_]|%20)KEY(?:(?:[ +_]|%20)BLOCK)? ?-{4,5}/g;
const PUTTY = 'Private-Lines:';
const WRAPPED = /LS0tLS1CRUdJTi[A-Za-z0-9+/=_-]{20,}/g;

export function maskPrivateKeys(text: string, mask: Mask): void {
  if (text.includes('PRIVATE')) maskArmour(text, mask);
  if (text.includes('LS0tLS1CRUdJTi')) {
    // The armour line is plain ASCII, so decoding the first characters is enough.
    mask.addMatches(WRAPPED, ([found]) => decoded(found.slice(0, 64)).includes('PRIVATE KEY'));
  }
  const putty = text.indexOf(PUTTY);
  if (putty >= 0) maskPutty(text, putty + PUTTY.length, mask);
}

function maskArmour(text: string, mask: Mask): void {
  BEGIN.lastIndex = 0;
  for (let begin = BEGIN.exec(text); begin !== null; begin = BEGIN.exec(text)) {
    END.lastIndex = BEGIN.lastIndex;
    const closed = END.test(text);
    mask.add(begin.index, closed ? END.lastIndex : text.length);
    if (!closed) return;
    BEGIN.lastIndex = END.lastIndex;
  }
}

function decoded(base64: string): string {
  try {
    return atob(base64.replaceAll('-', '+').replaceAll('_', '/').split('=', 1)[0] ?? '');
  } catch {
    return '';
  }
}

function maskPutty(text: string, from: number, mask: Mask): void {
  const lines = /\d/.test(text.slice(from, from + 8)) ? text.indexOf('\n', from) : -1;
  if (lines < 0) return;
  const mac = text.indexOf('Private-MAC:', lines);
  mask.add(lines + 1, mac < 0 ? text.length : mac);
}
