/** Figures of visible text: words, hash, simhash. Pure, linear, the same on every engine. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

const WORD = /[\p{L}\p{N}]+(?:['’.-][\p{L}\p{N}]+)*/gu;
/** Scripts that are written without blanks between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu;
const MAYBE_UNSPACED =
  /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\ud840-\ud88f]/;

/** Words as people count them; a letter of an unspaced script counts half. */
export function countWords(text: string): number {
  if (!MAYBE_UNSPACED.test(text)) return text.match(WORD)?.length ?? 0;
  const letters = text.match(UNSPACED)?.length ?? 0;
  return Math.ceil(letters / 2) + (text.replaceAll(UNSPACED, ' ').match(WORD)?.length ?? 0);
}

export function foldBlanks(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

export function textSha256(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}

const SHINGLE_WORDS = 3;

/** 64-bit simhash over shingles of three words, as 16 hex digits; all zero for no words. */
export function simhash(text: string): string {
  const words = text.toLowerCase().match(WORD) ?? [];
  const votes = new Int32Array(64);
  const count = Math.max(words.length - SHINGLE_WORDS + 1, Math.min(words.length, 1));
  for (let at = 0; at < count; at += 1) {
    const shingle = words.slice(at, at + SHINGLE_WORDS).join(' ');
    vote(votes, mixed(shingle, 0x811c9dc5), 0);
    vote(votes, mixed(shingle, 0x9747b28c), 32);
  }
  let hex = '';
  for (let nibble = 0; nibble < 16; nibble += 1) {
    let value = 0;
    for (let bit = 0; bit < 4; bit += 1) value = value * 2 + ((votes[nibble * 4 + bit] ?? 0) > 0 ? 1 : 0);
    hex += value.toString(16);
  }
  return hex;
}

function vote(votes: Int32Array, hash: number, from: number): void {
  for (let bit = 0; bit < 32; bit += 1) {
    votes[from + bit] = (votes[from + bit] ?? 0) + ((hash >>> bit) & 1 ? 1 : -1);
  }
}

/** FNV-1a with a final mix, so that short texts also reach the high bits. */
function mixed(text: string, seed: number): number {
  let hash = seed;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Bits that differ, 0 to 64. */
export function simhashDistance(left: string, right: string): number {
  let distance = 0;
  for (let at = 0; at < 16; at += 1) {
    let bits = Number.parseInt(left[at] ?? '0', 16) ^ Number.parseInt(right[at] ?? '0', 16);
    for (; bits > 0; bits &= bits - 1) distance += 1;
  }
  return distance;
}
