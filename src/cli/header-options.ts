/** Request headers from the command line: `Name: value`, repeatable. What cannot be sent is refused by name. */
import { SondeError } from '../errors.js';
import type { HeaderPair } from '../net/index.js';

export const collect = (value: string, before: readonly string[] | undefined): string[] => [
  ...(before ?? []),
  value,
];

/** The value of a header is never repeated in an error: it is often a credential. */
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
