// Mutants of src/net/redact/ without a visible effect; equivalent-mutants.mjs explains the rows.
const END = 'Behind the end there is nothing to read.';
const TABLE = 'A larger table holds nothing more.';
const CACHE = 'Only a cache: without it the same is worked out again.';
const FILTER = 'Only a filter before the look-up: any hash serves, as long as it is the same on both sides.';
const SHORTCUT = 'Only a shortcut: what follows finds nothing either.';

/** @type {readonly (readonly [string, string])[]} */
export const EQUIVALENT_IN_REDACT = [
  ['src/net/redact/bare-value.ts STOP: 1 → 2', 'Any negative number stands for "none".'],
  ['src/net/redact/bare-value.ts bareEnd: 127 → 254', TABLE],
  ['src/net/redact/bare-value.ts bareEnd: at < text.length → at <= text.length', END],
  ['src/net/redact/bare-value.ts bareEnd: code > 127 || stoppers[code] !== 1 → stoppers[code] !== 1', TABLE],
  ['src/net/redact/bare-value.ts bareEnd: code > 127 → code >= 127', TABLE],
  ['src/net/redact/bare-value.ts startsLine: 48 → 49', 'The pattern takes 47 characters at most.'],
  [
    "src/net/redact/bare-value.ts startsLine: start - word > 4 || !'tx-VG'.includes(text.charAt(word - 1)) → start - word > 4",
    SHORTCUT,
  ],
  ['src/net/redact/bare-value.ts stoppers: 128 → 256', TABLE],
  ['src/net/redact/char-classes.ts anyOf: 128 → 256', TABLE],
  ['src/net/redact/char-classes.ts anyOf: code < 128 && flags[code] === 1 → flags[code] === 1', TABLE],
  ['src/net/redact/char-classes.ts anyOf: code < 128 → code <= 128', TABLE],
  ['src/net/redact/char-classes.ts isBase64Url: 128 → 256', TABLE],
  [
    'src/net/redact/char-classes.ts isBase64Url: code < 128 && BASE64URL[code] === 1 → BASE64URL[code] === 1',
    TABLE,
  ],
  ['src/net/redact/char-classes.ts isBase64Url: code < 128 → code <= 128', TABLE],
  ['src/net/redact/char-classes.ts isWord: 128 → 256', TABLE],
  ['src/net/redact/char-classes.ts isWord: code < 128 && WORD[code] === 1 → WORD[code] === 1', TABLE],
  ['src/net/redact/char-classes.ts isWord: code < 128 → code <= 128', TABLE],
  [
    'src/net/redact/char-classes.ts skipRun: at < text.length → at <= text.length',
    'Behind the end no character is of any class.',
  ],
  ['src/net/redact/char-classes.ts table: 128 → 256', TABLE],
  ['src/net/redact/classify-key.ts REMEMBERED_MAX: 4096 → 8192', CACHE],
  ['src/net/redact/classify-key.ts classifyKey: known !== undefined → false', CACHE],
  [
    'src/net/redact/classify-key.ts classifyKey: name.length > NAME_MAX → name.length >= NAME_MAX',
    'The last 128 of 128 characters are all of them.',
  ],
  ['src/net/redact/classify-key.ts classifyKey: remembered.set(key, kind); → nothing', CACHE],
  [
    'src/net/redact/classify-key.ts classifyKey: remembered.size >= REMEMBERED_MAX → remembered.size > REMEMBERED_MAX',
    CACHE,
  ],
  ['src/net/redact/classify-key.ts classifyKey: remembered.size >= REMEMBERED_MAX → true', CACHE],
  [
    'src/net/redact/connection-string.ts restOfString: at < text.length → at <= text.length',
    'Behind the end there is nothing to slice.',
  ],
  ['src/net/redact/cookie-value.ts cookiesEnd: 33 → 34', 'The pattern takes 33 characters at most.'],
  ['src/net/redact/cookie-value.ts cookiesEnd: at < text.length → at <= text.length', END],
  ['src/net/redact/cookie-value.ts maskCookies: at < end → at <= end', 'Behind the end there is no cookie.'],
  ['src/net/redact/form-index.ts FILTER_SIZE: 1 → 2', FILTER],
  ['src/net/redact/form-index.ts FILTER_SIZE: 16 → 17', FILTER],
  ['src/net/redact/form-index.ts hash: 1 → 2', FILTER],
  ['src/net/redact/form-index.ts hash: 131 → 262', FILTER],
  ['src/net/redact/form-index.ts hash: 1_021 → 2042', FILTER],
  ['src/net/redact/form-index.ts hash: 2 → 3', FILTER],
  ['src/net/redact/form-index.ts hash: 31 → 32', FILTER],
  ['src/net/redact/form-index.ts hash: 32_749 → 65498', FILTER],
  ['src/net/redact/form-index.ts hash: 4 → 5', FILTER],
  ['src/net/redact/form-index.ts hash: 7_919 → 15838', FILTER],
  [
    'src/net/redact/form-index.ts hash: text.charCodeAt(at + 1) * 1_021 → text.charCodeAt(at + 1) / 1_021',
    FILTER,
  ],
  [
    'src/net/redact/form-index.ts hash: text.charCodeAt(at + 2) * 7_919 → text.charCodeAt(at + 2) / 7_919',
    FILTER,
  ],
  [
    'src/net/redact/form-index.ts hash: text.charCodeAt(at + 4) * 131 → text.charCodeAt(at + 4) / 131',
    FILTER,
  ],
  [
    'src/net/redact/form-index.ts hash: text.charCodeAt(at + 5) * 32_749 → text.charCodeAt(at + 5) / 32_749',
    FILTER,
  ],
  [
    'src/net/redact/form-index.ts hash: text.charCodeAt(at) * 31 + text.charCodeAt(at + 1) * 1_021 + text.charCodeAt(at + 2) * 7_919 + text.charCodeAt(at + 4) * 131 + text.charCodeAt(at + 5) * 32_749 → text.charCodeAt(at) * 31 + text.charCodeAt(at + 1) * 1_021 + text.charCodeAt(at + 2) * 7_919 + text.charCodeAt(at + 4) * 131 - text.charCodeAt(at + 5) * 32_749',
    FILTER,
  ],
  [
    'src/net/redact/form-index.ts hash: text.charCodeAt(at) * 31 + text.charCodeAt(at + 1) * 1_021 + text.charCodeAt(at + 2) * 7_919 + text.charCodeAt(at + 4) * 131 → text.charCodeAt(at) * 31 + text.charCodeAt(at + 1) * 1_021 + text.charCodeAt(at + 2) * 7_919 - text.charCodeAt(at + 4) * 131',
    FILTER,
  ],
  [
    'src/net/redact/form-index.ts hash: text.charCodeAt(at) * 31 + text.charCodeAt(at + 1) * 1_021 + text.charCodeAt(at + 2) * 7_919 → text.charCodeAt(at) * 31 + text.charCodeAt(at + 1) * 1_021 - text.charCodeAt(at + 2) * 7_919',
    FILTER,
  ],
  [
    'src/net/redact/form-index.ts hash: text.charCodeAt(at) * 31 + text.charCodeAt(at + 1) * 1_021 → text.charCodeAt(at) * 31 - text.charCodeAt(at + 1) * 1_021',
    FILTER,
  ],
  ['src/net/redact/form-index.ts hash: text.charCodeAt(at) * 31 → text.charCodeAt(at) / 31', FILTER],
  ['src/net/redact/form-index.ts mask: this.#filter[hash(text, at)] !== 1 → false', FILTER],
  [
    'src/net/redact/form-index.ts remove: group === undefined || count === undefined → group === undefined',
    'A form that is not there is not removed either way.',
  ],
  ['src/net/redact/form-index.ts remove: group.counts.size === 0 → false', 'Only frees memory.'],
  ['src/net/redact/form-index.ts remove: this.#groups.delete(prefix); → nothing', 'Only frees memory.'],
  [
    'src/net/redact/header-tuples.ts maskTuple: key?.quote === undefined || !isSecretKey(key.name) → !isSecretKey(key.name)',
    'The first half is for the compiler: behind a quote there is a key in quotes.',
  ],
  ['src/net/redact/header-tuples.ts maskTuple: quoteBefore(text, end) === undefined → false', SHORTCUT],
  ['src/net/redact/key-before.ts afterEntity: 6 → 7', 'The pattern takes six characters at most.'],
  [
    'src/net/redact/key-before.ts afterEntity: text.charCodeAt(at - 1) === 59 && /&(?:amp|#38|#x26);$/i.test(text.slice(Math.max(0, at - 6), at)) → /&(?:amp|#38|#x26);$/i.test(text.slice(Math.max(0, at - 6), at))',
    SHORTCUT,
  ],
  ['src/net/redact/key-before.ts beforeIndices: 26 → 27', 'The pattern takes 26 characters at most.'],
  [
    'src/net/redact/key-before.ts beforeIndices: closingBracket(text, at) > 0 → closingBracket(text, at) >= 0',
    SHORTCUT,
  ],
  [
    'src/net/redact/key-before.ts beforeIndices: count < INDICES_MAX && closingBracket(text, at) > 0 → count < INDICES_MAX',
    SHORTCUT,
  ],
  ['src/net/redact/key-before.ts keyInForm: !opensForm(text.charCodeAt(key.start - 1)) → false', SHORTCUT],
  ['src/net/redact/key-before.ts kindInProse: 12 → 13', 'The words take eleven characters at most.'],
  ['src/net/redact/keyed-values.ts NO_TAG: 1 → 2', 'Any negative number stands for "none".'],
  [
    'src/net/redact/keyed-values.ts afterArrow: 0 → 1',
    'Only a quoted value counts here, and its end does not depend on the level.',
  ],
  [
    "src/net/redact/keyed-values.ts afterEncoded: !'23#u\\\\'.includes(scan.text.charAt(at + 1)) → false",
    SHORTCUT,
  ],
  [
    'src/net/redact/keyed-values.ts afterTag: close < 0 → close <= 0',
    'Behind a tag, nothing is found at the first character.',
  ],
  [
    'src/net/redact/keyed-values.ts afterTag: key === undefined || !namesElement(key.kind) → !namesElement(key.kind)',
    'The first half is for the compiler: an element has a name.',
  ],
  ['src/net/redact/keyed-values.ts interesting: 128 → 256', TABLE],
  ['src/net/redact/keyed-values.ts maskKeyedValues: 128 → 256', TABLE],
  ['src/net/redact/keyed-values.ts maskKeyedValues: at < text.length → at <= text.length', END],
  [
    'src/net/redact/keyed-values.ts maskKeyedValues: code < 128 && interesting[code] === 1 → interesting[code] === 1',
    TABLE,
  ],
  ['src/net/redact/keyed-values.ts maskKeyedValues: code < 128 → code <= 128', TABLE],
  [
    'src/net/redact/live-secrets.ts mask: this.#secrets.size > 0 → this.#secrets.size >= 0',
    'Without secrets there is nothing to find.',
  ],
  ['src/net/redact/mask.ts #joined: !this.#inOrder() → true', 'Sorting what is in order changes nothing.'],
  ['src/net/redact/mask.ts apply: this.#spans.length === 0 → false', SHORTCUT],
  ['src/net/redact/mask.ts mentions: known !== undefined → false', CACHE],
  ['src/net/redact/mask.ts mentions: this.#mentioned.set(word, found); → nothing', CACHE],
  [
    'src/net/redact/named-pairs.ts #visitName: this.#near(this.#value, site) && this.#value !== undefined → this.#near(this.#value, site)',
    'The second half is for the compiler: nothing is near a value that is not there.',
  ],
  [
    "src/net/redact/named-pairs.ts visit: kind !== 'plain' && kind !== 'key' && kind !== 'jwk' → false",
    SHORTCUT,
  ],
  ['src/net/redact/nested-leaves.ts maskLeaves: at < text.length → at <= text.length', END],
  [
    'src/net/redact/plain-shape.ts shapeOfObject: isLiteral(source) → false',
    'Only a fast path: the last line returns the same.',
  ],
  [
    'src/net/redact/private-key-blocks.ts maskPutty: lines < 0 → lines <= 0',
    'A line break behind the words can never be the first character.',
  ],
  ['src/net/redact/quotes.ts encodedClose: 0 → 1', 'Behind a key, no value begins at the first character.'],
  [
    'src/net/redact/quotes.ts encodedClose: at < 0 → at <= 0',
    'Behind a key, no value begins at the first character.',
  ],
  [
    'src/net/redact/quotes.ts encodedClose: at >= 0 → at > 0',
    'Behind a key, no value begins at the first character.',
  ],
  ['src/net/redact/quotes.ts quoteAt: first !== BACKSLASH && first !== 38 && first !== 37 → false', SHORTCUT],
  ['src/net/redact/quotes.ts quoteBefore: 16 → 17', 'The pattern takes 13 characters at most.'],
  ['src/net/redact/quotes.ts quoteBefore: last !== 59 && last !== 50 && last !== 55 → false', SHORTCUT],
  [
    "src/net/redact/redact-value.ts isNamedByNeighbour: typeof copiedName === 'string' → true",
    'For the compiler: the copy of a text is a text.',
  ],
  ["src/net/redact/redact-value.ts textOf: typeof value === 'string' → false", SHORTCUT],
  ['src/net/redact/redactor.ts createRedactor: redacted === input → false', CACHE],
  [
    "src/net/redact/secret-value.ts maskDeclared: separator.sign !== ':' || !mask.mentions('=') → separator.sign !== ':'",
    SHORTCUT,
  ],
  ['src/net/redact/url-userinfo.ts NONE: 1 → 2', 'Any negative number stands for "none".'],
  [
    "src/net/redact/url-userinfo.ts maskUserinfo: !text.includes('//') && !text.includes('\\\\/') && !/%(?:25){0,3}2f/i.test(text) → false",
    SHORTCUT,
  ],
  [
    "src/net/redact/url-userinfo.ts maskUserinfo: !text.includes('@') && !text.includes('%40') && !text.includes('2540') → false",
    SHORTCUT,
  ],
  [
    'src/net/redact/url-userinfo.ts maskUserinfo: OPENER.lastIndex = Math.max(start, end); → nothing',
    'Only saves looking for another URL inside of what is hidden.',
  ],
  [
    'src/net/redact/url-userinfo.ts maskUserinfo: end > start && isCredential(text, { opener: found.index, start, end }) → isCredential(text, { opener: found.index, start, end })',
    'An empty span is not masked.',
  ],
  ['src/net/redact/url-userinfo.ts maskUserinfo: end > start → end >= start', 'An empty span is not masked.'],
  ['src/net/redact/url-userinfo.ts maskUserinfo: return; → nothing', SHORTCUT],
  ['src/net/redact/yaml-lines.ts lineBelow: end >= text.length → end > text.length', END],
  ['src/net/redact/yaml-lines.ts maskBlock: at < text.length → at <= text.length', END],
  [
    'src/net/redact/mask.ts addMatches: pattern.lastIndex = 0; → nothing',
    'Only matters after a call that threw.',
  ],
  [
    'src/net/redact/url-userinfo.ts maskUserinfo: OPENER.lastIndex = 0; → nothing',
    'Only matters after a call that threw.',
  ],
  ['src/net/redact/web-tokens.ts maskWebTokens: end > at → end >= at', 'An empty span is not masked.'],
];
