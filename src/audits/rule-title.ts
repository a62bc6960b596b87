/**
 * Fills in a rule's title for a result. A template such as `{n} {page has|pages have} no title` contains the count and
 * the words for one and for several; without a count it becomes "Pages have no title".
 */
const COUNT = '{n} ';

export function failureTitle(template: string, count?: number): string {
  const worded = template.replaceAll(/\{([^{}|]*)\|([^{}|]*)\}/g, (_whole, one: string, several: string) =>
    count === 1 ? one : several,
  );
  if (!worded.startsWith(COUNT)) return worded;
  const text = worded.slice(COUNT.length);
  return count === undefined
    ? text.charAt(0).toUpperCase() + text.slice(1)
    : `${count.toLocaleString('en-US')} ${text}`;
}
