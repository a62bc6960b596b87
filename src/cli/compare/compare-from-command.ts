/** Runs a `sonde compare` call and returns its report. */
import type { Command } from 'commander';
import { readIgnoreRules, SAMPLES_MAX } from '../../compare/index.js';
import type { Settings } from '../../config/settings.js';
import { SondeError } from '../../errors.js';
import { createRedactor } from '../../net/index.js';
import { tryUrl } from '../../try-url.js';
import { VERSION } from '../../version.js';
import { analysePair, type RunOptions, runComparison } from '../../workflows/compare-pairs.js';
import { asUsage } from '../as-usage.js';
import { type CliContext, printNote } from '../cli-context.js';
import type { CompareCommandOptions } from '../commands/compare.js';
import { readHeaderOptions } from '../header-options.js';
import { loadSettings } from '../load-settings.js';
import type { ProbeClient } from '../ports.js';
import { runsOnServer } from '../server-job.js';
import { abortOnSignal } from '../start-or-stop.js';
import { applyBaselineTo, baselineUse, readBaselineFile, writeBaselineFile } from './baseline-file.js';
import { type CompareReport, type ReportedPair, verdictOfPairs } from './compare-report.js';
import { type Plan, planPairs } from './plan-pairs.js';
import { createProgress } from './progress.js';
import { readEnvelopes } from './read-envelopes.js';
import { labelsFor } from './side-names.js';

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
  const { options } = call;
  const run = readRunOptions(options, settings);
  const baseline =
    options.baseline === undefined
      ? undefined
      : await readBaselineFile(context.files, options.baseline, options.baselineBy);
  const outbound = await context.runtime.openProbes(settings);
  try {
    const found = options.from
      ? await fromFiles(context, call, withClient(run, outbound))
      : runsOnServer(self)
        ? await fromServer(context, settings, { call, run })
        : await fromProbes(context, call, { run, outbound });
    const pairs = baseline ? found.pairs.map((pair) => applyBaselineTo(pair, baseline)) : found.pairs;
    const report: Omit<CompareReport, 'verdict'> = {
      version: VERSION,
      startedAt: new Date(startedAt).toISOString(),
      durationMs: Date.now() - startedAt,
      failOn: options.failOn,
      candidate: options.candidate,
      ...found,
      pairs,
      ...(baseline && { baseline: baselineUse(baseline, pairs) }),
    };
    if (options.writeBaseline !== undefined) await writeBaselineFile(context, options.writeBaseline, pairs);
    return { ...report, verdict: verdictOfPairs(report) };
  } finally {
    await outbound.close();
  }
}

export type ComparedPairs = Pick<
  CompareReport,
  'pairs' | 'suiteFindings' | 'notes' | 'leftLabel' | 'rightLabel' | 'leftUrl' | 'rightUrl' | 'interruptedOf'
>;

async function fromProbes(
  context: CliContext,
  { urls, options }: CompareCall,
  { run, outbound }: { readonly run: RunOptions; readonly outbound: ProbeClient },
): Promise<ComparedPairs> {
  const [left, right] = urls;
  const plan: Plan = await planPairs(
    {
      ...options,
      ...(left !== undefined && { left }),
      ...(right !== undefined && { right }),
      leftHeaders: await readHeaderOptions(options.headerLeft, '--header-left'),
      rightHeaders: await readHeaderOptions(options.headerRight, '--header-right'),
    },
    { files: context.files, outbound },
  );
  const stop = abortOnSignal(context.runtime);
  const progress = createProgress(context);
  const pairs = await runComparison(plan.pairs, {
    ...withClient(run, outbound),
    ...(plan.recorded && { samples: 1 }),
    compare: { ...withClient(run, outbound).compare, labels: plan.labels },
    signal: stop,
    onProgress: progress.step,
  });
  await progress.end();
  const total = plan.pairs.length;
  if (stop.aborted)
    await printNote(context, `stopped after ${pairs.length} of ${total} paths; the report is partial`);
  const redactor = createRedactor();
  return {
    pairs,
    suiteFindings: plan.suiteFindings,
    notes: plan.notes,
    leftLabel: redactor.text(plan.labels.left),
    rightLabel: redactor.text(plan.labels.right),
    leftUrl: redactor.text(plan.leftUrl),
    rightUrl: redactor.text(plan.rightUrl),
    ...(stop.aborted && { interruptedOf: total }),
  };
}

async function fromServer(
  context: CliContext,
  settings: Settings,
  { call, run }: { readonly call: CompareCall; readonly run: RunOptions },
): Promise<ComparedPairs> {
  const { compareOnServer } = await import('./compare-on-server.js');
  const { withProgressLine } = await import('../progress-line.js');
  return withProgressLine(context, (progress) =>
    compareOnServer(context, { settings, ...call, run, progress }),
  );
}

async function fromFiles(
  context: CliContext,
  { urls, options }: CompareCall,
  run: RunOptions,
): Promise<ComparedPairs> {
  const [leftName, rightName, ...more] = options.from ?? [];
  if (urls.length > 0) throw new SondeError('USAGE', '--from replaces the two URLs; give one or the other');
  if (leftName === undefined || rightName === undefined || more.length > 0) {
    throw new SondeError('USAGE', '--from takes two files: left.json right.json');
  }
  const left = await readEnvelopes(context.files, leftName, 'left');
  const right = await readEnvelopes(context.files, rightName, 'right');
  const samples = Math.min(left.length, right.length);
  const [leftUrl, rightUrl] = [left[0]?.requestedUrl ?? '', right[0]?.requestedUrl ?? ''];
  const labels = labelsFor({ left: leftUrl, right: rightUrl }, options);
  const compare = { ...run.compare, labels };
  const pair: ReportedPair = await analysePair(
    pathOf(rightUrl),
    { left, right },
    { ...run, compare, samples },
  );
  return {
    pairs: [pair],
    suiteFindings: [],
    notes: [],
    leftLabel: labels.left,
    rightLabel: labels.right,
    leftUrl,
    rightUrl,
  };
}

function pathOf(url: string): string {
  const parsed = tryUrl(url);
  return parsed ? `${parsed.pathname}${parsed.search}` : url;
}

function withClient(run: RunOptions, { sha256, explainer }: ProbeClient): RunOptions {
  return { ...run, compare: { ...run.compare, sha256 }, ...(explainer && { explainer }) };
}

function readRunOptions(options: CompareCommandOptions, { compare }: Settings): RunOptions {
  return {
    samples: readCount(options.samples, '--samples', SAMPLES_MAX),
    confirmSamples: compare.confirmSamples,
    profile: options.profile,
    concurrency: readCount(options.concurrency, '--concurrency', 64),
    perHost: readCount(options.perHost, '--per-host', 64),
    compare: { ignore: asUsage(() => readIgnoreRules(options.ignore ?? [])), candidate: options.candidate },
    random: Math.random,
  };
}

function readCount(text: string, option: string, max: number): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= max) return count;
  throw new SondeError('USAGE', `${option} is a whole number from 1 to ${max}, not ${JSON.stringify(text)}`);
}
