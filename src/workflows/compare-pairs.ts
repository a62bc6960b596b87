/**
 * Compares pairs of URLs in this process, for the command line and the library. Each pair is sampled (`compare/sampling.ts`), then diffed and explained.
 * Pairs run concurrently up to a limit, and concurrent requests per host are limited too. If the run is stopped,
 * complete pairs are kept and the others are dropped.
 */
import {
  CONFIRM_SAMPLES_DEFAULT,
  type CompareOptions,
  computeDiff,
  confirmRounds,
  HostSlots,
  isUnsettledInSteps,
  type Sampler,
  takeRounds,
} from '../compare/index.js';
import { type Explainer, explainDiff } from '../explain/index.js';
import { runSteps } from '../loop-turns.js';
import type { HeaderList } from '../net/index.js';
import {
  type ISignalProvider,
  identifyEnvelope,
  type Side,
  type SignalEnvelope,
  SPACING_REQUEST,
} from '../probe/index.js';
import type { ReportedPair } from './compare-report.js';

export interface SidePlan {
  readonly url: string;
  readonly provider: ISignalProvider;
  readonly headers: HeaderList;
}

export interface PairPlan {
  readonly name: string;
  readonly left: SidePlan;
  readonly right: SidePlan;
}

export interface RunOptions {
  /** Number of samples per side and path. */
  readonly samples: number;
  /** Samples per side that are taken at most if one side varies; 12 by default. */
  readonly confirmSamples?: number;
  readonly profile: 'core' | 'full';
  readonly concurrency: number;
  readonly perHost: number;
  readonly compare: CompareOptions;
  /** Random numbers in [0, 1), for the order of the sides. */
  readonly random: () => number;
  readonly explainer?: Explainer;
  readonly signal?: AbortSignal;
  /** Called after each pair. */
  onProgress?(done: number, total: number, pair: ReportedPair): void;
}

export async function runComparison(
  plans: readonly PairPlan[],
  options: RunOptions,
): Promise<ReportedPair[]> {
  const slots = new HostSlots(options.perHost);
  const results = new Array<ReportedPair | undefined>(plans.length);
  let next = 0;
  let done = 0;
  const worker = async (): Promise<void> => {
    for (let at = next++; at < plans.length; at = next++) {
      const plan = plans[at];
      if (!plan || options.signal?.aborted) return;
      const pair = await runPair(plan, options, slots);
      if (!pair) return;
      results[at] = pair;
      done += 1;
      options.onProgress?.(done, plans.length, pair);
    }
  };
  await Promise.all(Array.from({ length: Math.min(options.concurrency, plans.length) }, worker));
  return results.filter((pair) => pair !== undefined);
}

/** Returns undefined if the run was stopped, because a canceled probe says nothing about its target. */
async function runPair(
  plan: PairPlan,
  options: RunOptions,
  slots: HostSlots,
): Promise<ReportedPair | undefined> {
  const taken: Record<Side, SignalEnvelope[]> = { left: [], right: [] };
  const { samples, confirmSamples = CONFIRM_SAMPLES_DEFAULT, compare } = options;
  const sampler = samplerOf(plan, { options, slots, taken });
  if (!(await takeRounds(sampler, { from: 1, to: samples }))) return undefined;
  const isUnsettled = async () => runSteps(isUnsettledInSteps(taken.left, taken.right, compare));
  if (!(await confirmRounds(sampler, { samples, limit: confirmSamples, isUnsettled }))) return undefined;
  return analysePair(plan.name, taken, options);
}

interface Sampling {
  readonly options: RunOptions;
  readonly slots: HostSlots;
  readonly taken: Readonly<Record<Side, SignalEnvelope[]>>;
}

function samplerOf(plan: PairPlan, { options, slots, taken }: Sampling): Sampler {
  const { signal, profile, random } = options;
  const stop = signal && { signal };
  return {
    random: () => random,
    async take(side, sample) {
      const { url, provider, headers } = plan[side];
      const context = { profile, exchanges: sample === 1, headers, ...stop };
      const observed = await slots.use(url, () => provider.probe(url, context));
      if (signal?.aborted) return undefined;
      const envelope = identifyEnvelope(observed, { comparisonId: plan.name, side, sample });
      taken[side].push(envelope);
      return envelope;
    },
    async space(side) {
      const { url, provider, headers } = plan[side];
      await slots.use(url, () => provider.probe(url, { ...SPACING_REQUEST, headers, ...stop }));
    },
  };
}

type AnalyseOptions = Pick<RunOptions, 'compare' | 'explainer' | 'signal' | 'samples'>;

export async function analysePair(
  name: string,
  { left, right }: Readonly<Record<Side, readonly SignalEnvelope[]>>,
  { compare, explainer, signal, samples }: AnalyseOptions,
): Promise<ReportedPair> {
  const [a, b] = [left[0], right[0]];
  if (!a || !b) throw new Error('a pair needs one sample per side');
  const diff = computeDiff(left, right, { ...compare, samples });
  const explained = await explainer?.explain(diff, [], signal);
  return {
    name,
    left: a,
    right: b,
    diff,
    explanation: explained?.state === 'ready' ? explained.explanation : explainDiff(diff),
    ...(explained?.state === 'failed' && { explanationFault: explained.error.message }),
  };
}
