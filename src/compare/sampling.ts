/**
 * How the samples of a comparison are taken, the same on every engine. Both sides are sampled in rounds, in random
 * order. If one side varies in something that counts, rounds are added up to a limit, so that a fault on one of several
 * backends is told apart from noise.
 *
 * A load balancer often takes its backends in turns, so a constant number of requests per sample could always meet the
 * same one. A spacing request in between breaks the pattern: in added rounds at random, and before them only if a
 * redirect makes the number even.
 */
import type { Side, SignalEnvelope } from '../probe/index.js';
import { sampleOrder } from './sample-order.js';

export const SAMPLES_DEFAULT = 3;
/** Samples per side that are taken at most if one side varies. */
export const CONFIRM_SAMPLES_DEFAULT = 12;

export interface Sampler {
  /** Random numbers in [0, 1) for a round; a resumed run needs the same ones again. */
  random(sample: number): () => number;
  /** Takes and keeps one sample; undefined if the run was stopped. */
  take(side: Side, sample: number): Promise<SignalEnvelope | undefined>;
  /** Sends one request whose response does not matter. */
  space(side: Side): Promise<void>;
}

export interface Rounds {
  readonly from: number;
  readonly to: number;
  /** These rounds were added to confirm what varies. */
  readonly added?: true;
}

export interface Confirmation {
  /** Taken so far, per side. */
  readonly samples: number;
  readonly limit: number;
  /** Whether one side varies in something that counts. */
  isUnsettled(): Promise<boolean>;
}

/** Takes more samples if one side varies. Resolves to the number per side, or to undefined if the run was stopped. */
export async function confirmRounds(
  sampler: Sampler | (() => Promise<Sampler>),
  { samples, limit, isUnsettled }: Confirmation,
): Promise<number | undefined> {
  if (samples < 2 || limit <= samples || !(await isUnsettled())) return samples;
  const taking = typeof sampler === 'function' ? await sampler() : sampler;
  return (await takeRounds(taking, { from: samples + 1, to: limit, added: true })) ? limit : undefined;
}

/** Resolves to false if the run was stopped. */
export async function takeRounds(sampler: Sampler, { from, to, added }: Rounds): Promise<boolean> {
  const last: Partial<Record<Side, SignalEnvelope>> = {};
  for (let sample = from; sample <= to; sample++) {
    const random = sampler.random(sample);
    for (const side of sampleOrder(random)) {
      if (added ? random() < 0.5 : hasEvenRequests(last[side])) await sampler.space(side);
      const taken = await sampler.take(side, sample);
      if (!taken) return false;
      last[side] = taken;
    }
  }
  return true;
}

/** With one redirect, a sample takes two requests, and so the same turn of two backends every time. */
function hasEvenRequests(envelope: SignalEnvelope | undefined): boolean {
  return (envelope?.result.redirects?.length ?? 0) % 2 === 1;
}
