/**
 * Classifies a value by the name of its key. Structured values, JSON text, headers, queries, environment lines and
 * flags all use this one function, so `clientSecret`, `client_secret`, `Client-Secret` and `CLIENT.SECRET` are always
 * classified alike. Pure; caches a bounded number of results.
 */
import {
  AUTH_ENDING,
  COUNTED_WORDS,
  DESCRIPTORS,
  ENV_KEY,
  OPAQUE_NAMES,
  SAFE_NAMES,
  SECRET_ENDING,
  SECRET_EXACT,
  SECRET_PAIRS,
  SECRET_WORDS,
  TOKEN_COUNTS,
} from './sensitive-names.js';

/**
 * `secret`: hide the value. `authorization` and `cookie`: the same, with their own header syntax. `counted`: hide
 * everything except numbers. `auth`: hide everything except the names of schemes. `opaque`: hide what looks like a
 * credential. `code`, `key`, `jwk`: hide the value only where the name means a credential (OAuth, a query, a JSON Web
 * Key).
 */
export type KeyKind =
  | 'plain'
  | 'secret'
  | 'authorization'
  | 'cookie'
  | 'counted'
  | 'auth'
  | 'opaque'
  | 'code'
  | 'key'
  | 'jwk';

const NAME_MAX = 128;
const REMEMBERED_MAX = 4096;
const SPECIAL: Readonly<Record<string, KeyKind>> = {
  code: 'code',
  key: 'key',
  d: 'jwk',
  p: 'jwk',
  q: 'jwk',
  dp: 'jwk',
  dq: 'jwk',
  qi: 'jwk',
  k: 'jwk',
};

const remembered = new Map<string, KeyKind>();

export function classifyKey(name: string): KeyKind {
  const key = name.length > NAME_MAX ? name.slice(-NAME_MAX) : name;
  const known = remembered.get(key);
  if (known !== undefined) return known;
  // npm's name for a user and password in base64, never the name of a scheme.
  const judged = key === '_auth' ? 'secret' : judge(splitWords(key));
  const kind = judged === 'plain' && ENV_KEY.test(key) ? 'opaque' : judged;
  if (remembered.size >= REMEMBERED_MAX) remembered.clear();
  remembered.set(key, kind);
  return kind;
}

/** The kind of the last of several nested names, outermost first: its own, or that of a credential around it. */
export function classifyPath(names: readonly string[]): KeyKind {
  const last = names.at(-1) ?? '';
  const own = classifyKey(last);
  const together = classifyKey(names.join(' '));
  if (isSecretKind(together)) return together;
  return (DESCRIPTORS.has(last.toLowerCase()) ? undefined : names.map(classifyKey).find(isSecretKind)) ?? own;
}

/** Whether a value of this kind is hidden regardless of its content. */
export const isSecretKind = (kind: KeyKind): boolean =>
  kind === 'secret' || kind === 'authorization' || kind === 'cookie' || kind === 'counted';

/** Whether a value under this name is hidden regardless of its content. */
export const isSecretKey = (name: string): boolean => isSecretKind(classifyKey(name));

function splitWords(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .map((word) => word.replace(/^([a-z]+)\d+$/, '$1'))
    .filter((word) => word !== '');
}

function judge(words: readonly string[]): KeyKind {
  const phrase = words.join(' ');
  if (SAFE_NAMES.has(phrase)) return 'plain';
  const special = Object.hasOwn(SPECIAL, phrase) ? SPECIAL[phrase] : undefined;
  if (special !== undefined) return special;
  if (OPAQUE_NAMES.has(phrase)) return 'opaque';
  const last = words.at(-1) ?? '';
  if (COUNTED_WORDS.has(last) || isSecretPlural(words)) return 'counted';
  if (AUTH_ENDING.test(last)) return 'auth';
  // The only key id that is half of a credential: AWS_ACCESS_KEY_ID.
  if (SECRET_EXACT.has(phrase) || phrase.endsWith('access key id')) return 'secret';
  const end = secretWordsEnd(words);
  if (end === 0) return 'plain';
  if (end < words.length && DESCRIPTORS.has(last)) return 'plain';
  if (last === 'authorization') return 'authorization';
  return last === 'cookie' ? 'cookie' : 'secret';
}

function isSecretPlural(words: readonly string[]): boolean {
  const last = words.at(-1) ?? '';
  if (last.length < 4 || !last.endsWith('s') || SECRET_WORDS.has(last)) return false;
  if (last === 'tokens' && TOKEN_COUNTS.has(words.at(-2) ?? '')) return false;
  const singular = last.slice(0, -1);
  return SECRET_WORDS.has(singular) || SECRET_ENDING.test(singular);
}

/** The number of words up to and including the last secret word or pair; 0 if there is none. */
function secretWordsEnd(words: readonly string[]): number {
  let end = 0;
  words.forEach((word, at) => {
    const pair = `${words[at - 1] ?? ''} ${word}`;
    if (SECRET_PAIRS.has(pair) || SECRET_PAIRS.has(pair.replace(/s$/, ''))) end = at + 1;
    else if (SECRET_WORDS.has(word) || SECRET_ENDING.test(word)) end = at + 1;
  });
  return end;
}
