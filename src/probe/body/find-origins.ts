/** Finds absolute origins in a text, also with escaped slashes: they show how one environment leaks into another. */
import { trimEnd } from '../../trim-end.js';
import { BODY_FACT_LIMITS, type OriginMention } from '../body-facts.js';

const ABSOLUTE =
  /\b(https?|wss?):\\?\/\\?\/([a-z0-9.-]{1,253}|\[[0-9a-f:.]{2,45}\])(:\d{1,5})?(?![a-z0-9.@-])/gi;
const DEFAULT_PORTS: Readonly<Record<string, string>> = {
  http: ':80',
  https: ':443',
  ws: ':80',
  wss: ':443',
};

export function findOrigins(text: string): OriginMention[] {
  const counts = new Map<string, number>();
  for (const [, scheme = '', host = '', port = ''] of text.matchAll(ABSOLUTE)) {
    const name = trimEnd(host.toLowerCase(), '.');
    if (name === '') continue;
    const lower = scheme.toLowerCase();
    const origin = `${lower}://${name}${port === DEFAULT_PORTS[lower] ? '' : port}`;
    if (counts.has(origin) || counts.size < BODY_FACT_LIMITS.origins) {
      counts.set(origin, (counts.get(origin) ?? 0) + 1);
    }
  }
  return [...counts]
    .map(([origin, count]) => ({ origin, count }))
    .sort((a, b) => (a.origin < b.origin ? -1 : 1));
}
