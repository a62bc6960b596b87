/**
 * The order of header lines with different names, and the way list fields are split into lines, carry no meaning:
 * random rearrangements of golden pairs do not change a byte of their diffs.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { isListField } from '../../src/compare/fields/canonical-field.js';
import { splitOutsideQuotes } from '../../src/compare/fields/list-field.js';
import { computeDiff, serializeDiff } from '../../src/compare/index.js';
import type { SignalEnvelope } from '../../src/probe/index.js';
import { createRandom } from '../support/random.js';

const FOLDER = fileURLToPath(new URL('../golden/compare/', import.meta.url));

interface Pair {
  readonly left: SignalEnvelope[];
  readonly right: SignalEnvelope[];
}
const PAIRS = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.diff.json'))
  .map((name) => ({
    pair: JSON.parse(readFileSync(FOLDER + name.replace('.diff.json', '.json'), 'utf8')) as Pair,
    golden: readFileSync(FOLDER + name, 'utf8').trimEnd(),
  }));

type Random = () => number;

function shuffled<T>(object: Readonly<Record<string, T>>, random: Random): Record<string, T> {
  const entries = Object.entries(object).map((entry) => [random(), entry] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => a - b).map(([, entry]) => entry));
}

/** Returns the same list, split into lines at some of its commas and with other whitespace. */
function resplit(lines: readonly string[], random: Random): string[] {
  const members = lines.flatMap((line) => splitOutsideQuotes(line, ','));
  const result: string[] = [];
  for (const member of members) {
    if (result.length > 0 && random() < 0.6)
      result[result.length - 1] += `${random() < 0.5 ? ', ' : ','}${member}`;
    else result.push(member);
  }
  return result;
}

function rearranged(envelope: SignalEnvelope, random: Random): SignalEnvelope {
  const { result } = envelope;
  if (!('response' in result)) return envelope;
  const { headers } = result.response;
  const extended = Object.fromEntries(
    Object.entries(headers.extended ?? {}).map(([name, lines]) => [
      name,
      isListField(name) ? resplit(lines, random) : lines,
    ]),
  );
  return {
    ...envelope,
    result: {
      ...result,
      response: {
        ...result.response,
        headers: {
          ...headers,
          core: shuffled(headers.core as Record<string, string>, random),
          ...(headers.accessControl && { accessControl: shuffled(headers.accessControl, random) }),
          ...(headers.extended && { extended: shuffled(extended, random) }),
        },
      },
    },
  } as SignalEnvelope;
}

/** A failure prints the seed, which reproduces the rearrangements. */
export function expectRearrangementsChangeNothing(runs: number, seed: number): void {
  for (let run = 0; run < runs; run += 1) {
    const { next: random } = createRandom(seed + run);
    const { pair, golden } = PAIRS[run % PAIRS.length] ?? { pair: { left: [], right: [] }, golden: '' };
    const left = pair.left.map((envelope) => rearranged(envelope, random));
    const right = pair.right.map((envelope) => rearranged(envelope, random));
    const diff = serializeDiff(computeDiff(left, right));
    if (diff === golden) continue;
    // As objects first, because their difference is short and readable.
    expect(JSON.parse(diff), `seed ${seed + run}`).toEqual(JSON.parse(golden));
    expect(diff, `seed ${seed + run}`).toBe(golden);
  }
}
