import fc from 'fast-check';

const SURROGATES = { first: 0xd800, count: 0x800 } as const;

/**
 * Any code point that is a character, with the same probabilities as the unit `binary` of fast-check. That unit builds a
 * table of all 1,112,064 characters, which takes a second; here a character is computed.
 */
export const anyCharacter = fc.nat({ max: 0x10ffff - SURROGATES.count }).map(
  (index) => String.fromCodePoint(index < SURROGATES.first ? index : index + SURROGATES.count),
  (character) => {
    const [first, ...others] = typeof character === 'string' ? [...character] : [];
    const code = first?.codePointAt(0);
    const afterSurrogates = SURROGATES.first + SURROGATES.count;
    if (code === undefined || others.length > 0) throw new Error('expected one character');
    if (code < SURROGATES.first) return code;
    if (code < afterSurrogates) throw new Error('a surrogate is not a character');
    return code - SURROGATES.count;
  },
);
