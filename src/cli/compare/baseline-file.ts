/** The baseline as a file: read once, applied to every path, and written anew where that is asked for. */
import {
  applyBaseline,
  type Baseline,
  baselineOf,
  readBaseline,
  routeTemplate,
} from '../../compare/index.js';
import { parseJson } from '../../config/parse-json.js';
import { SondeError } from '../../errors.js';
import type { Files } from '../ports.js';
import type { ReportedPair } from './compare-report.js';

const BASELINE_BYTES_MAX = 16 * 1024 * 1024;
const ACCEPTED_DAYS = 90;
const DAY_MS = 86_400_000;

export async function readBaselineFile(files: Files, name: string): Promise<Baseline> {
  const parsed = parseJson(await files.readText(name, { bytesMax: BASELINE_BYTES_MAX }));
  if (!parsed.ok) throw new SondeError('USAGE', `${name}:${parsed.line}:${parsed.column} is not valid JSON`);
  try {
    return readBaseline(parsed.value);
  } catch (thrown) {
    if (thrown instanceof SondeError)
      throw new SondeError('USAGE', `${name}: ${thrown.message}`, { cause: thrown });
    throw thrown;
  }
}

/** "Today" is the day of the observation, so that saved envelopes are judged as they were. */
export function withBaseline(pair: ReportedPair, baseline: Baseline): ReportedPair {
  const today = pair.right.capturedAt.slice(0, 10);
  return { ...pair, diff: applyBaseline(pair.diff, baseline, { today, route: routeOf(pair) }) };
}

export async function writeBaselineFile(
  files: Files,
  name: string,
  pairs: readonly ReportedPair[],
): Promise<void> {
  const latest = Math.max(...pairs.map(({ right }) => Date.parse(right.capturedAt)));
  const expires = new Date(latest + ACCEPTED_DAYS * DAY_MS).toISOString().slice(0, 10);
  const baseline = baselineOf(
    pairs.map((pair) => ({ route: routeOf(pair), diff: pair.diff })),
    { expires },
  );
  await files.writeText(name, `${JSON.stringify(baseline, null, 2)}\n`);
}

function routeOf({ right }: ReportedPair): string {
  return routeTemplate(right.requestedUrl);
}
