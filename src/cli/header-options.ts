/** Reads request headers from repeatable `Name: value` options. Headers that cannot be sent are refused by name. */
import { SondeError } from '../errors.js';
import type { HeaderPair } from '../net/index.js';

/** The commander parser of a repeatable option. */
export const collect = (value: string, before: readonly string[] | undefined): string[] => [
  ...(before ?? []),
  value,
];

/** Errors never repeat the value of a header, which is often a credential. */
export async function readHeaderOptions(
  lines: readonly string[] | undefined,
  option: string,
): Promise<HeaderPair[]> {
  if (!lines) return [];
  const { cleanRequestHeaders } = await import('../net/index.js');
  const pairs = lines.map((line): HeaderPair => {
    const colon = line.indexOf(':');
    if (colon < 1)
      throw new SondeError('USAGE', `${option} takes a header such as "Authorization: Bearer …"`);
    return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
  });
  const sent = cleanRequestHeaders(pairs);
  const dropped = pairs.find(([name]) => !sent.some(([kept]) => kept === name.toLowerCase()));
  if (dropped) throw new SondeError('USAGE', `${option}: the header ${dropped[0]} cannot be set`);
  return sent;
}
