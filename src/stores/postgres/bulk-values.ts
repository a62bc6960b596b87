/**
 * Encodes a column of many rows as one text. The driver also takes arrays, but it quotes and escapes every element,
 * which cost as much CPU time as all other work for a job.
 */

/** For elements that need no quotes in an array's text: ids, hex digits, numbers and our own words. */
export function plainArray(values: readonly (string | number | boolean)[]): string {
  return `{${values.join(',')}}`;
}

/** For JSON, whose text has no line breaks. Read by `string_to_array(…, E'\n', '')`, where an empty line is NULL. */
export function jsonLines(texts: readonly (string | null)[]): string {
  return texts.join('\n');
}
