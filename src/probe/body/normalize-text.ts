/**
 * Replaces what differs between two responses of one deployment: the side's own origin and host, and values with a
 * volatile form. Only a hash of the result is kept; it distinguishes a changed page from one with a new nonce.
 */
const VOLATILE: readonly (readonly [RegExp, string])[] = [
  [/\b(nonce|csrf[-_]?token|authenticity[-_]token)(["']?\s*[=:]\s*["'])[^"']*/gi, '$1$2#'],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '{uuid}'],
  [/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?/g, '{time}'],
  [
    /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d GMT/g,
    '{time}',
  ],
  [/\b[0-9a-f]{16,}\b/gi, '{hex}'],
  [
    /(?<![A-Za-z0-9+/_-])(?=[A-Za-z0-9+/_-]*\d)(?=[A-Za-z0-9+/_-]*[A-Za-z])[A-Za-z0-9+/_-]{24,}={0,2}/g,
    '{token}',
  ],
  [/\b1[5-9]\d{8}(?:\d{3}(?:\d{3})?)?\b/g, '{epoch}'],
];

/** `hosts` are the side's own, with ports. Longer hosts are replaced first, in case one contains another. */
export function normalizeText(text: string, hosts: readonly string[]): string {
  let normal = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
  for (const host of [...new Set(hosts)].sort((a, b) => b.length - a.length)) {
    normal = normal.replaceAll(`https://${host}`, '{origin}').replaceAll(`http://${host}`, '{origin}');
    normal = normal.replaceAll(host, '{host}');
  }
  for (const [pattern, word] of VOLATILE) normal = normal.replace(pattern, word);
  return normal;
}
