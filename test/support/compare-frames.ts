/** Sends malformed framing to several servers, byte for byte, and compares the bytes of their responses. */
import { type Attack, FRAMED_WRONGLY, type Place } from './framing-attacks.js';
import { HEADER_INJECTIONS } from './header-injections.js';
import { maskText } from './mask-response.js';
import { rawExchange } from './raw-exchange.js';

const SIDE_BY_SIDE = 8;
/** Some cases never get a response. What differs is sent again, with more patience: a server may only have been slow. */
const PATIENCE = { firstMs: 2_000, quietMs: 1_000 };
const MORE_PATIENCE = { firstMs: 10_000, quietMs: 5_000 };

/** The same cases with a stream as target. */
const ON_STREAMS: readonly Attack[] = FRAMED_WRONGLY.map(([name, parts]) => [
  `stream: ${name}`,
  (place) =>
    parts(place).map((part) => part.replace('POST /v1/proxy', `POST /v1/stream/frames-${place.tag}`)),
]);

export const FRAMES: readonly Attack[] = [...FRAMED_WRONGLY, ...HEADER_INJECTIONS, ...ON_STREAMS];

/** The cases with different responses, by name, with both. */
export async function compareFrames(
  servers: readonly { readonly url: string }[],
  site: string,
): Promise<Record<string, readonly string[]>> {
  const differences: Record<string, readonly string[]> = {};
  const cases = FRAMES.entries();
  const lane = async () => {
    for (const [index, [name, parts]] of cases) {
      const place: Place = { secret: 'none', origin: site, tag: String(index) };
      const responses = (patience: typeof PATIENCE) =>
        Promise.all(
          servers.map(async ({ url }) =>
            masked(await rawExchange(Number(new URL(url).port), parts(place), patience), url),
          ),
        );
      if (new Set(await responses(PATIENCE)).size === 1) continue;
      const again = await responses(MORE_PATIENCE);
      if (new Set(again).size > 1) differences[name] = again;
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, lane));
  return differences;
}

/** Names of headers in lower case and sorted, because neither their case nor their order means anything. */
function masked(received: string, origin: string): string {
  return maskText(received, origin)
    .split('\r\n\r\n')
    .map((block) => (block.startsWith('HTTP/1.1 ') ? sortedHead(block) : block))
    .join('\r\n\r\n');
}

function sortedHead(block: string): string {
  const [first = '', ...lines] = block.split('\r\n');
  const named = lines.map((line) =>
    line
      .replace(/^[^:]+/, (name) => name.toLowerCase())
      .replace(/^(ratelimit|upstream-headers): .*/, '$1: <time>'),
  );
  return [first, ...named.sort()].join('\r\n');
}
