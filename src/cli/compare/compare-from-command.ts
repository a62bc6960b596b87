/** From the words of a `sonde compare` call to its report. */
import type { Command } from 'commander';
import { readIgnoreRules } from '../../compare/index.js';
import { SondeError } from '../../errors.js';
import { createRedactor } from '../../net/index.js';
import { tryUrl } from '../../try-url.js';
import { VERSION } from '../../version.js';
import type { CliContext } from '../cli-context.js';
import type { CompareCommandOptions } from '../commands/compare.js';
import { readHeaderOptions } from '../header-options.js';
import { loadSettings } from '../load-settings.js';
import type { ProbeDoor } from '../ports.js';
import { readBaselineFile, withBaseline, writeBaselineFile } from './baseline-file.js';
import { type CompareReport, type ReportedPair, verdictOfFindings, worstVerdict } from './compare-report.js';
import { type Plan, planPairs } from './plan-pairs.js';
import { createProgress } from './progress.js';
import { readEnvelopes } from './read-envelopes.js';
import { analysePair, type RunOptions, runComparison } from './run-comparison.js';

export interface CompareCall {
  readonly urls: readonly string[];
  readonly options: CompareCommandOptions;
}

export async function compareFromCommand(
  context: CliContext,
  self: Command,
  call: CompareCall,
): Promise<CompareReport> {
  const startedAt = Date.now();
  const { settings } = await loadSettings(context, self);
  const run = readRunOptions(call.options);
  const { baseline: baselineName, writeBaseline } = call.options;
  const baseline =
    baselineName === undefined ? undefined : await readBaselineFile(context.files, baselineName);
  const door = await context.runtime.openProbes(settings);
  try {
    const found = call.options.from
      ? await fromFiles(context, call, withParts(run, door))
      : await fromProbes(context, call, { run, door });
    const pairs = baseline ? found.pairs.map((pair) => withBaseline(pair, baseline)) : found.pairs;
    if (writeBaseline !== undefined) await writeBaselineFile(context.files, writeBaseline, pairs);
    const report = {
      version: VERSION,
      startedAt: new Date(startedAt).toISOString(),
      durationMs: Date.now() - startedAt,
      failOn: call.options.failOn,
      ...found,
      pairs,
      ...labels(call.options, found),
    };
    return { ...report, verdict: verdictOf(report) };
  } finally {
    await door.close();
  }
}

type Found = Pick<CompareReport, 'pairs' | 'suiteFindings' | 'notes' | 'leftLabel' | 'rightLabel'>;

async function fromProbes(
  context: CliContext,
  { urls, options }: CompareCall,
  { run, door }: { readonly run: RunOptions; readonly door: ProbeDoor },
): Promise<Found> {
  const [left, right] = urls;
  const plan: Plan = await planPairs(
    {
      ...options,
      ...(left !== undefined && { left }),
      ...(right !== undefined && { right }),
      leftHeaders: await readHeaderOptions(options.headerLeft, '--header-left'),
      rightHeaders: await readHeaderOptions(options.headerRight, '--header-right'),
    },
    { files: context.files, door },
  );
  const progress = createProgress(context);
  const pairs = await runComparison(plan.pairs, {
    ...withParts(run, door),
    ...(plan.recorded && { samples: 1 }),
    onProgress: progress.step,
  });
  await progress.end();
  const redactor = createRedactor();
  return {
    pairs,
    suiteFindings: plan.suiteFindings,
    notes: plan.notes,
    leftLabel: redactor.text(plan.leftLabel),
    rightLabel: redactor.text(plan.rightLabel),
  };
}

async function fromFiles(
  context: CliContext,
  { urls, options }: CompareCall,
  run: RunOptions,
): Promise<Found> {
  const [leftName, rightName, ...more] = options.from ?? [];
  if (urls.length > 0) throw new SondeError('USAGE', '--from takes the place of the two URLs');
  if (leftName === undefined || rightName === undefined || more.length > 0) {
    throw new SondeError('USAGE', '--from takes two files: left.json right.json');
  }
  const left = await readEnvelopes(context.files, leftName, 'left');
  const right = await readEnvelopes(context.files, rightName, 'right');
  const samples = Math.min(left.length, right.length);
  const name = pathOf(right[0]?.requestedUrl ?? '');
  const pair: ReportedPair = await analysePair(name, { left, right }, { ...run, samples });
  return {
    pairs: [pair],
    suiteFindings: [],
    notes: [],
    leftLabel: pair.left.requestedUrl,
    rightLabel: pair.right.requestedUrl,
  };
}

function pathOf(url: string): string {
  const parsed = tryUrl(url);
  return parsed ? `${parsed.pathname}${parsed.search}` : url;
}

function withParts(run: RunOptions, { sha256, explainer }: ProbeDoor): RunOptions {
  return { ...run, compare: { ...run.compare, sha256 }, ...(explainer && { explainer }) };
}

function verdictOf({ pairs, suiteFindings }: Pick<CompareReport, 'pairs' | 'suiteFindings'>) {
  return worstVerdict([verdictOfFindings(suiteFindings), ...pairs.map(({ diff }) => diff.verdict)]);
}

function labels({ labelLeft, labelRight }: CompareCommandOptions, found: Found) {
  return { leftLabel: labelLeft ?? found.leftLabel, rightLabel: labelRight ?? found.rightLabel };
}

function readRunOptions(options: CompareCommandOptions): RunOptions {
  return {
    samples: readCount(options.samples, '--samples', 50),
    profile: options.profile,
    concurrency: readCount(options.concurrency, '--concurrency', 64),
    perHost: readCount(options.perHost, '--per-host', 64),
    compare: { ignore: readIgnores(options.ignore ?? []) },
  };
}

function readIgnores(texts: readonly string[]) {
  try {
    return readIgnoreRules(texts);
  } catch (thrown) {
    if (thrown instanceof SondeError) throw new SondeError('USAGE', thrown.message, { cause: thrown });
    throw thrown;
  }
}

function readCount(text: string, option: string, max: number): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= max) return count;
  throw new SondeError('USAGE', `${option} is a whole number from 1 to ${max}, not ${JSON.stringify(text)}`);
}
