/**
 * The durable run of one comparison. Every step may be interrupted and repeated: probes have stable ids, the result is
 * written by compare-and-set, the explanation once. A run that is killed anywhere and resumed ends with one result and
 * two probes.
 *
 * The request of a side is unsealed only inside the steps that send it. It never appears in the job's payload, a step's
 * result or a log. Resamples and the inputs of the diff are read from the store instead of passed through step
 * results, which are bounded.
 */
import {
  CONFIRM_SAMPLES_DEFAULT,
  type CompareOptions,
  type ComparisonKey,
  type ComparisonRow,
  type ComparisonStore,
  confirmRounds,
  diffInSteps,
  type EnvDiff,
  isUnsettledInSteps,
  type OriginPair,
  probeInput,
  readIgnoreRules,
  SAMPLES_DEFAULT,
  type Sampler,
  type SealedSides,
  type StoredProbe,
  sampleOrder,
  seededRandom,
  serializeDiff,
  type TextHash,
  takeRounds,
  withAccepted,
} from '../compare/index.js';
import { asSondeError, SondeError } from '../errors.js';
import { type Explainer, type ExplanationOutcome, explainDiff, type PastRun } from '../explain/index.js';
import type { RunContext, StepOptions } from '../jobs/index.js';
import { runInTurns, type Turn } from '../loop-turns.js';
import { identifyEnvelope, type Side, type SignalEnvelope } from '../probe/index.js';
import type { TenantTurns } from '../tenant-turns.js';

/** The complete payload of a job; everything else is in the comparison's row. */
export type CompareInput = ComparisonKey;

/** The content of the row's `options_json`, validated when it was created. */
export interface CompareRunOptions {
  readonly samples?: number;
  readonly confirmSamples?: number;
  readonly profile?: 'core' | 'full';
  readonly ignore?: readonly string[];
  readonly origins?: readonly OriginPair[];
  readonly candidate?: Side;
  readonly leftLabel?: string;
  readonly rightLabel?: string;
  readonly pinned?: readonly string[];
}

/** The actual request to one side, with its credentials. */
export interface SideRequest {
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
}

export type SideRequests = Readonly<Record<Side, SideRequest>>;

export interface CompareDeps {
  readonly store: ComparisonStore;
  /** Unseals the request of a side; called only inside a probing step. */
  openSide(sealed: Uint8Array): Promise<SideRequest>;
  /** Takes one sample. Never rejects: a failing target is recorded in the envelope. */
  probe(request: SideRequest, options: ProbeOptions): Promise<SignalEnvelope>;
  /** Absent if no model is configured. */
  readonly explainer?: Explainer;
  /** Samples per side at most if one side varies, unless the comparison has its own limit. */
  readonly confirmSamples?: number;
  readonly clock: () => number;
  /** Shares the process's probes between tenants. */
  readonly turns?: TenantTurns;
  /** The platform's synchronous SHA-256, if it has one. */
  readonly sha256?: TextHash;
  /** Shared by everything that runs in one event loop. */
  readonly turn?: Turn;
}

export interface ProbeOptions {
  readonly profile: 'core' | 'full';
  readonly sample: number;
  readonly signal: AbortSignal;
  /** Only takes a turn of a load balancer; the response does not matter. */
  readonly spacing?: true;
}

const HISTORY_RUNS = 5;

const PROBE_STEP: StepOptions = {
  retries: { limit: 2, delayMs: 1000, backoff: 'exponential' },
  timeoutMs: 60_000,
};
const STORE_STEP: StepOptions = {
  retries: { limit: 5, delayMs: 200, backoff: 'exponential' },
  timeoutMs: 30_000,
};
const RESAMPLE_STEP: StepOptions = { ...PROBE_STEP, timeoutMs: 1_800_000 };
const MODEL_STEP: StepOptions = {
  retries: { limit: 2, delayMs: 2000, backoff: 'exponential' },
  timeoutMs: 120_000,
};

/** `lastAttempt`: this run will not be resumed, so a failure must be recorded. */
export type CompareContext = RunContext & { readonly lastAttempt?: boolean };

interface Run {
  readonly key: ComparisonKey;
  readonly row: ComparisonRow;
  readonly options: CompareRunOptions;
  readonly deps: CompareDeps;
  readonly context: CompareContext;
}

/** Does nothing if the comparison has failed. If it has its result, only a missing explanation is added. */
export async function compareEnvironments(
  key: CompareInput,
  context: CompareContext,
  deps: CompareDeps,
): Promise<void> {
  const row = await deps.store.getComparison(key);
  if (!row) throw new SondeError('NOT_FOUND', 'comparison not found');
  if (row.status === 'failed') return;
  const run: Run = { key, row, options: JSON.parse(row.optionsJson) as CompareRunOptions, deps, context };
  try {
    await compare(run);
  } catch (thrown) {
    const error = finalError(thrown, context, 'the comparison could not be finished');
    if (error !== undefined) await deps.store.failComparison({ ...key, error });
    throw thrown;
  }
}

async function compare(run: Run): Promise<void> {
  const { steps } = run.context;
  for (const [at, side] of orderOf(run, 1).entries()) {
    const { probe, save } = SIDE_STEPS[side];
    const envelope = await steps.do(probe, PROBE_STEP, () => probeSide(run, side, 1));
    report(run, 15 * (at + 1), `probed the ${side} side`);
    await steps.do(save, STORE_STEP, () => saveProbe(run, envelope));
  }
  await steps.do('resample', RESAMPLE_STEP, () => resample(run));
  await steps.do('confirm', RESAMPLE_STEP, () => confirm(run));
  const diff = await steps.do('computeDiff', STORE_STEP, () => diffOf(run));
  report(run, 80, `compared: ${diff.verdict}`);
  await steps.do('saveResult', STORE_STEP, () => saveResult(run, diff));
  if (run.row.explanation.state === 'off') return report(run, 100, 'done');
  const history = await steps.do('loadHistory', STORE_STEP, () => loadHistory(run));
  await steps.do('callLLM', MODEL_STEP, () => callModel(run, diff, history));
  report(run, 100, 'done');
}

const SIDE_STEPS = {
  left: { probe: 'probeLeft', save: 'saveLeftProbe' },
  right: { probe: 'probeRight', save: 'saveRightProbe' },
} as const;

/** Which side is probed first; the same again if the run is resumed. */
function orderOf(run: Run, sample: number): readonly [Side, Side] {
  return sampleOrder(randomOf(run, sample));
}

function randomOf({ key }: Run, sample: number): () => number {
  return seededRandom(`${key.comparisonId} ${sample}`);
}

function report({ context }: Run, percent: number, message: string): void {
  context.progress({ percent, message });
}

async function probeSide(run: Run, side: Side, sample: number): Promise<SignalEnvelope> {
  const { key, options, deps, context } = run;
  context.signal.throwIfAborted();
  const request = await requestOf(run, side);
  const profile = options.profile ?? 'full';
  const envelope = await deps.probe(request, { profile, sample, signal: context.signal });
  // A canceled probe says nothing about the target.
  context.signal.throwIfAborted();
  return identifyEnvelope(envelope, { comparisonId: key.comparisonId, side, sample });
}

async function requestOf({ key, row, deps }: Run, side: Side): Promise<SideRequest> {
  const sealed = await deps.store.getSealed(key);
  if (!sealed) throw new SondeError('canceled', 'the comparison ended while it was being probed');
  return (await openSides(row, sealed, deps))[side];
}

/** Both are opened before the first request, so that nothing is sent if one of them cannot be opened. */
export async function openSides(
  { leftUrl, rightUrl }: Pick<ComparisonRow, 'leftUrl' | 'rightUrl'>,
  { left, right }: SealedSides,
  deps: CompareDeps,
): Promise<SideRequests> {
  return {
    left: left ? await deps.openSide(left) : { url: leftUrl, headers: [] },
    right: right ? await deps.openSide(right) : { url: rightUrl, headers: [] },
  };
}

async function saveProbe({ key, deps }: Run, envelope: SignalEnvelope): Promise<boolean> {
  return deps.store.saveProbe(probeInput(key, envelope.side, envelope));
}

/** Takes samples 2…k. */
async function resample(run: Run): Promise<number> {
  const { samples = SAMPLES_DEFAULT } = run.options;
  await takeRounds(await samplerOf(run, samples), { from: 2, to: samples });
  return samples;
}

/** Takes more samples if one side varies in something that counts. Returns the number per side. */
async function confirm(run: Run): Promise<number> {
  const { options, deps } = run;
  const { samples = SAMPLES_DEFAULT } = options;
  const limit = options.confirmSamples ?? deps.confirmSamples ?? CONFIRM_SAMPLES_DEFAULT;
  const isUnsettled = async () => {
    const { left, right } = await storedSamples(run);
    // A resumed run decides by the same samples again.
    const first = [left.slice(0, samples), right.slice(0, samples)] as const;
    return runInTurns(isUnsettledInSteps(...first, compareOptionsOf(run)), deps.turn);
  };
  return (await confirmRounds(() => samplerOf(run, limit), { samples, limit, isUnsettled })) ?? samples;
}

/** Each sample is stored at once and never taken twice. */
async function samplerOf(run: Run, total: number): Promise<Sampler> {
  const { deps, context, options } = run;
  const { left, right } = await storedSamples(run);
  const taken = new Map([...left, ...right].map((one) => [`${one.side} ${one.sample}`, one]));
  return {
    random: (sample) => randomOf(run, sample),
    async take(side, sample) {
      const known = taken.get(`${side} ${sample}`);
      if (known) return known;
      const envelope = await probeSide(run, side, sample);
      await saveProbe(run, envelope);
      const percent = 30 + Math.floor((45 * (sample - 1)) / total);
      report(run, percent, `took sample ${sample} of the ${side} side`);
      return envelope;
    },
    async space(side) {
      const profile = options.profile ?? 'full';
      const request = await requestOf(run, side);
      await deps.probe(request, { profile, sample: total, signal: context.signal, spacing: true });
    },
  };
}

function compareOptionsOf({ options, deps }: Run): CompareOptions {
  return {
    ...(options.ignore && { ignore: readIgnoreRules(options.ignore) }),
    ...(options.origins && { origins: options.origins }),
    ...(options.candidate && { candidate: options.candidate }),
    labels: labelsOf(options),
    ...(options.pinned && { pinned: options.pinned }),
    ...(deps.sha256 && { sha256: deps.sha256 }),
  };
}

async function diffOf(run: Run): Promise<EnvDiff> {
  const { key, row, deps } = run;
  const { left, right } = await storedSamples(run);
  const { samples = SAMPLES_DEFAULT } = run.options;
  const diff = await runInTurns(diffInSteps(left, right, { ...compareOptionsOf(run), samples }), deps.turn);
  const accepted = await deps.store.getAccepted({ tenantId: key.tenantId, pairKey: row.pairKey });
  const { capturedAt = '', requestedUrl: url = '' } = right[0] ?? {};
  return withAccepted(diff, accepted, { today: capturedAt.slice(0, 10), url });
}

export function labelsOf({ leftLabel, rightLabel }: CompareRunOptions) {
  return { ...(leftLabel && { left: leftLabel }), ...(rightLabel && { right: rightLabel }) };
}

/** The samples of both sides, each with the probe itself first. */
async function storedSamples({ key, deps }: Run): Promise<Record<Side, readonly SignalEnvelope[]>> {
  const probes = await deps.store.getProbes(key);
  const left = await runInTurns(envelopesOf(probes, 'left'), deps.turn);
  return { left, right: await runInTurns(envelopesOf(probes, 'right'), deps.turn) };
}

/** Yields after each envelope. */
function* envelopesOf(
  probes: readonly StoredProbe[],
  side: Side,
): Generator<void, readonly SignalEnvelope[]> {
  const probe = probes.find((one) => one.side === side);
  if (!probe) throw new Error(`the comparison has no ${side} probe`);
  const texts = [probe.envelopeJson, ...probe.samples.map(({ envelopeJson }) => envelopeJson)];
  const envelopes: SignalEnvelope[] = [];
  for (const text of texts) {
    envelopes.push(JSON.parse(text) as SignalEnvelope);
    yield;
  }
  return envelopes;
}

async function saveResult({ key, deps }: Run, diff: EnvDiff): Promise<boolean> {
  // The canonical serialization of the diff, so that the stored bytes are the same on every engine.
  const resultJson = `{"diff":${serializeDiff(diff)},"timestamp":${deps.clock()}}`;
  return deps.store.saveResult({ ...key, resultJson });
}

/** Summaries of earlier runs of the pair, without the current run. */
async function loadHistory({ key, row, deps }: Run): Promise<readonly PastRun[]> {
  const rows = await deps.store.getComparisonsForHistory({
    tenantId: key.tenantId,
    pairKey: row.pairKey,
    limit: HISTORY_RUNS + 1,
    completedOnly: true,
  });
  return rows
    .filter(({ comparisonId }) => comparisonId !== key.comparisonId)
    .slice(0, HISTORY_RUNS)
    .map(pastRun);
}

function pastRun({ ts, resultJson }: ComparisonRow): PastRun {
  const { diff } = JSON.parse(resultJson ?? '{}') as { readonly diff: EnvDiff };
  return { timestamp: new Date(ts).toISOString(), verdict: diff.verdict, summary: explainDiff(diff).summary };
}

async function callModel(run: Run, diff: EnvDiff, history: readonly PastRun[]): Promise<string> {
  const { key, deps, context } = run;
  const outcome = await deps.explainer?.explain(diff, history, context.signal);
  await deps.store.saveExplanation({ ...key, ...storedText(diff, outcome) });
  return outcome?.state ?? 'ready';
}

/** Without a model, or if it failed, the deterministic text is used; a failure includes its reason. */
function storedText(diff: EnvDiff, outcome: ExplanationOutcome | undefined) {
  if (outcome?.state === 'ready') {
    const { explanation, model, promptVersion } = outcome;
    return { state: 'ready' as const, textJson: JSON.stringify(explanation), model, promptVersion };
  }
  const textJson = JSON.stringify({ ...explainDiff(diff), ...(outcome && { error: outcome.error }) });
  return {
    state: outcome ? ('failed' as const) : ('ready' as const),
    textJson,
    model: outcome?.model ?? null,
    promptVersion: outcome?.promptVersion ?? null,
  };
}

/**
 * The error with which a run that cannot succeed ends its row, as JSON, so that no reader waits for it. Undefined after
 * an interruption or a transient failure: another attempt continues. If even ending the row fails, it ends with the job.
 * The text of an unknown error is replaced by `unknown`, because it may reveal internals.
 */
export function finalError(
  thrown: unknown,
  { signal, lastAttempt }: CompareContext,
  unknown: string,
): string | undefined {
  const isOverdue = signal.aborted && asSondeError(signal.reason).code === 'JOB_TIME_EXCEEDED';
  const { facts, code, message } = asSondeError(isOverdue ? signal.reason : thrown);
  const permanent = facts.fault !== 'server' && !facts.retryable;
  if ((signal.aborted && !isOverdue) || !(permanent || lastAttempt)) return undefined;
  return JSON.stringify({ code, message: isOverdue || thrown instanceof SondeError ? message : unknown });
}
