// Mutants of SQL in a literal: comparisons, conditions and order. Statements that create tables are left alone, because
// the contract suites of the stores run on those tables.

/** @typedef {{ start: number, end: number, text: string }} SqlChange */

/**
 * A pattern and the replacement of its first group.
 * @type {readonly (readonly [RegExp, string])[]}
 */
const CHANGES = [
  [/\s(AND)\s/g, 'OR'],
  [/\s(OR)\s(?!REPLACE|IGNORE)/g, 'AND'],
  [/\s(<=)\s/g, '<'],
  [/\s(>=)\s/g, '>'],
  [/\s(<)\s/g, '<='],
  [/\s(>)\s/g, '>='],
  [/\s(<>)\s/g, '='],
  [/\b(?:WHERE|AND|OR|ON|WHEN)\s+[\w."]+(?:\([\w., ]*\))?\s(=)\s/g, '<>'],
  [/\s(IS NULL)\b/g, 'IS NOT NULL'],
  [/\s(IS NOT NULL)\b/g, 'IS NULL'],
  [/\b(NOT EXISTS)\b/g, 'EXISTS'],
  [/\b(NOT IN)\b/g, 'IN'],
  [/\s(DESC)\b/g, 'ASC'],
  [/\b(greatest)\(/g, 'least'],
  [/\b(least)\(/g, 'greatest'],
  [/\b(max)\(/g, 'min'],
  [/\b(min)\(/g, 'max'],
  [/\bIN \('\w+'(, '\w+'[^)]*)\)/g, ''],
];

/** @param {string} text a literal, with its quotes @returns {SqlChange[]} */
export function sqlChanges(text) {
  if (!/\b(SELECT|INSERT INTO|UPDATE|DELETE FROM|WHERE)\s/.test(text) || /\bCREATE\s/.test(text)) return [];
  return CHANGES.flatMap(([pattern, other]) =>
    [...text.matchAll(pattern)].map((match) => {
      const start = match.index + match[0].lastIndexOf(match[1] ?? '');
      return { start, end: start + (match[1] ?? '').length, text: other };
    }),
  );
}
