/** The fields of a request for a comparison that are erased when the run ends, without their values. */
import type { Side } from '../probe/index.js';

interface SentRequest {
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

export function erasedFields(
  sides: Readonly<Record<Side, SentRequest>>,
  redactUrl: (url: string) => string,
): readonly string[] {
  return (['left', 'right'] as const).flatMap((side) => {
    const { url, headers } = sides[side];
    return [
      ...(redactUrl(url) === url ? [] : [`${side}Url`]),
      ...headers.map(([name]) => `${side}Headers.${name}`),
    ];
  });
}
