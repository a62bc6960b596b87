/** The baseline file of a comparison: read once, applied to every path, and written on request. */
import {
  applyBaseline,
  type Baseline,
  type BaselineBy,
  baselineOf,
  pathOf,
  readBaseline,
} from '../../compare/index.js';
import { acceptedUntil, readAcceptedFile } from '../accepted-file.js';
import { asUsage } from '../as-usage.js';
import { type CliContext, printNote } from '../cli-context.js';
import type { Files } from '../ports.js';
import type { BaselineUse, ReportedPair } from './compare-report.js';

export interface NamedBaseline {
  readonly file: string;
  readonly by: BaselineBy;
  readonly baseline: Baseline;
}

export async function readBaselineFile(files: Files, name: string, by: BaselineBy): Promise<NamedBaseline> {
  const value = await readAcceptedFile(files, name);
  return { file: name, by, baseline: asUsage(() => readBaseline(value), `${name}: `) };
}

/** "Today" is the day of the observation, so that saved envelopes always give the same result. */
export function applyBaselineTo(pair: ReportedPair, { baseline, by }: NamedBaseline): ReportedPair {
  const today = pair.right.capturedAt.slice(0, 10);
  return { ...pair, diff: applyBaseline(pair.diff, baseline, { today, url: pair.right.requestedUrl, by }) };
}

export function baselineUse({ file }: NamedBaseline, pairs: readonly ReportedPair[]): BaselineUse {
  const gone = pairs.flatMap(({ right, diff }) =>
    diff.findings
      .filter(({ status }) => status === 'resolved')
      .map(({ code, message }) => ({ path: pathOf(right.requestedUrl), code, message })),
  );
  return { file, hidden: pairs.reduce((sum, { diff }) => sum + diff.counts.known, 0), gone };
}

export async function writeBaselineFile(
  context: CliContext,
  name: string,
  pairs: readonly ReportedPair[],
): Promise<void> {
  const latest = Math.max(0, ...pairs.map(({ right }) => Date.parse(right.capturedAt)));
  const expires = acceptedUntil(latest);
  const baseline = baselineOf(
    pairs.map(({ right, diff }) => ({ url: right.requestedUrl, diff })),
    { expires },
  );
  await context.files.writeText(name, `${JSON.stringify(baseline, null, 2)}\n`);
  const count = baseline.entries.length;
  const paths = new Set(baseline.entries.map(({ path }) => path)).size;
  const what = `${count} ${count === 1 ? 'finding' : 'findings'} on ${paths} ${paths === 1 ? 'path' : 'paths'}`;
  await printNote(context, `wrote ${name}: accepts ${what} until ${expires}`);
}
