/**
 * Columns of many rows, each as one text. The driver takes lists too, but it quotes and escapes every element of
 * them, which cost a process as much as all else that it does for a job.
 */

/** For elements that need no quotes in an array's text: ids, hex digits, numbers and our own words. */
export function plainArray(values: readonly (string | number | boolean)[]): string {
  return `{${values.join(',')}}`;
}

/** For JSON, whose text has no line breaks; read by `string_to_array(…, E'\n', '')`, so that nothing is NULL. */
export function jsonLines(texts: readonly (string | null)[]): string {
  return texts.join('\n');
}
