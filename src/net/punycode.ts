/**
 * Checks whether an `xn--` label is a valid A-label. URL parsers disagree on malformed ones (some throw; newer ones and
 * workerd accept them), so we apply our own rule on every engine: the label must decode by RFC 3492 to normalised
 * text with at least one non-ASCII character and no control, format, unassigned, private-use or white-space
 * character.
 */
const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;
const SKEW = 38;
const DAMP = 700;
const FIRST_BIAS = 72;
const FIRST_CODE_POINT = 128;

const JOINERS = /[\u200c\u200d]/gu;
const FORBIDDEN = /[\p{C}\p{Z}]/u;

export function isALabel(label: string): boolean {
  const decoded = decodePunycode(label.slice('xn--'.length));
  if (decoded === undefined) return false;
  const text = decoded.replace(JOINERS, '');
  return /[^\p{ASCII}]/u.test(text) && !FORBIDDEN.test(text) && decoded === decoded.normalize('NFC');
}

/** Undefined if the text is not valid Punycode. */
export function decodePunycode(input: string): string | undefined {
  const delimiter = input.lastIndexOf('-');
  const output = delimiter > 0 ? Array.from(input.slice(0, delimiter)) : [];
  let index = delimiter > 0 ? delimiter + 1 : 0;
  let codePoint = FIRST_CODE_POINT;
  let bias = FIRST_BIAS;
  let position = 0;
  while (index < input.length) {
    const delta = readDelta(input, index, bias);
    if (!delta) return undefined;
    const length = output.length + 1;
    bias = adaptBias(delta.value, length, position === 0);
    position += delta.value;
    index = delta.next;
    codePoint += Math.floor(position / length);
    if (codePoint > 0x10ffff || (codePoint >= 0xd800 && codePoint <= 0xdfff)) return undefined;
    position %= length;
    output.splice(position++, 0, String.fromCodePoint(codePoint));
  }
  return output.join('');
}

/** One generalised variable-length integer (RFC 3492 §3.3). */
function readDelta(input: string, start: number, bias: number): { value: number; next: number } | undefined {
  let value = 0;
  let weight = 1;
  for (let next = start, k = BASE; next < input.length; k += BASE) {
    const digit = digitOf(input.charCodeAt(next++));
    if (digit === undefined) return undefined;
    value += digit * weight;
    if (value > 0x7fffffff) return undefined;
    const threshold = Math.min(Math.max(k - bias, T_MIN), T_MAX);
    if (digit < threshold) return { value, next };
    weight *= BASE - threshold;
  }
  return undefined;
}

function digitOf(code: number): number | undefined {
  if (code >= 0x61 && code <= 0x7a) return code - 0x61;
  if (code >= 0x30 && code <= 0x39) return code - 0x30 + 26;
  return undefined;
}

function adaptBias(delta: number, length: number, first: boolean): number {
  let rest = first ? Math.floor(delta / DAMP) : Math.floor(delta / 2);
  rest += Math.floor(rest / length);
  let k = 0;
  for (; rest > ((BASE - T_MIN) * T_MAX) / 2; k += BASE) rest = Math.floor(rest / (BASE - T_MIN));
  return k + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + SKEW));
}
