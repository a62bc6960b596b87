/**
 * `sonde/compare`: compares two environments in this process, as `sonde compare` does. A side that cannot be reached is
 * a finding; a URL that is refused, an option out of range and an abort reject.
 */

import {
  CONFIRM_SAMPLES_DEFAULT,
  pathsFromList,
  readIgnoreRules,
  SAMPLES_DEFAULT,
  SAMPLES_MAX,
  type SideLabels,
  sideLabels,
  urlUnder,
} from '../../compare/index.js';
import { SondeError } from '../../errors.js';
import { cleanRequestHeaders, createRedactor, type HeaderList, refusalError } from '../../net/index.js';
import type { ISignalProvider, Side } from '../../probe/index.js';
import { VERSION } from '../../version.js';
import { type PairPlan, runComparison } from '../../workflows/compare-pairs.js';
import { type CompareReport, verdictOfPairs } from '../../workflows/compare-report.js';
import { openProbeClient, type ProbeClient, type ProbeClientOptions } from './probe.js';
import { sha256 } from './sha256.js';

export * from '../../explain/public.js';
export type { Side } from '../../probe/index.js';
export type { CompareReport, ReportedPair } from '../../workflows/compare-report.js';

const CONCURRENCY_MAX = 64;

export interface CompareSitesOptions extends ProbeClientOptions {
  /** Paths below both URLs. Without them the two URLs themselves are compared. */
  readonly paths?: readonly string[];
  /** Samples per side and path: 3 by default; timing needs 5 to count. */
  readonly samples?: number;
  /** Samples per side that are taken at most if only one side varies from request to request: 12 by default. */
  readonly confirmSamples?: number;
  /** `core` compares six families of headers, `full` everything. */
  readonly profile?: 'core' | 'full';
  /** Sent to one side only, and to no other origin. */
  readonly headers?: Partial<Readonly<Record<Side, Readonly<Record<string, string>>>>>;
  readonly labels?: Partial<SideLabels>;
  /** Like `--ignore`: `CODE[:KEY][@PATH]`, where `*` matches anything. */
  readonly ignore?: readonly string[];
  /** The side that is about to ship: the left one by default. */
  readonly candidate?: Side;
  /** Probe a side by other means, such as from a recording. The other options of a probe then mean nothing to it. */
  readonly providers?: Partial<Readonly<Record<Side, ISignalProvider>>>;
  /** The number of concurrent paths, and of concurrent probes per host: 4 each by default. */
  readonly concurrency?: number;
  readonly perHost?: number;
  readonly signal?: AbortSignal;
  onProgress?(progress: { readonly done: number; readonly total: number; readonly path: string }): void;
}

/** The left URL is the candidate, which is about to ship; the right one is the reference. */
export async function compareSites(
  left: string,
  right: string,
  options: CompareSitesOptions = {},
): Promise<CompareReport> {
  const startedAt = Date.now();
  const { signal, candidate = 'left' } = options;
  signal?.throwIfAborted();
  const outbound = openProbeClient(options);
  try {
    const plans = planPairs({ left, right }, options, outbound);
    const labels = sideLabels({ left, right }, { given: options.labels ?? {}, candidate });
    const pairs = await runComparison(plans, {
      samples: within('samples', options.samples ?? SAMPLES_DEFAULT, SAMPLES_MAX),
      confirmSamples: within(
        'confirmSamples',
        options.confirmSamples ?? CONFIRM_SAMPLES_DEFAULT,
        SAMPLES_MAX,
      ),
      profile: options.profile ?? 'full',
      concurrency: within('concurrency', options.concurrency ?? 4, CONCURRENCY_MAX),
      perHost: within('perHost', options.perHost ?? 4, CONCURRENCY_MAX),
      compare: { sha256, labels, candidate, ignore: readIgnoreRules(options.ignore ?? []) },
      random: Math.random,
      ...(signal && { signal }),
      onProgress: (done, total, { name }) => options.onProgress?.({ done, total, path: name }),
    });
    signal?.throwIfAborted();
    const redactor = createRedactor();
    return {
      version: VERSION,
      startedAt: new Date(startedAt).toISOString(),
      durationMs: Date.now() - startedAt,
      candidate,
      leftLabel: redactor.text(labels.left),
      rightLabel: redactor.text(labels.right),
      leftUrl: redactor.text(left),
      rightUrl: redactor.text(right),
      pairs,
      suiteFindings: [],
      notes: [],
      verdict: verdictOfPairs({ pairs, suiteFindings: [] }),
      failOn: 'critical',
    };
  } finally {
    await outbound.close();
  }
}

function planPairs(
  urls: Readonly<Record<Side, string>>,
  { paths, headers = {}, providers = {} }: CompareSitesOptions,
  { provider, outbound }: ProbeClient,
): PairPlan[] {
  for (const url of [urls.left, urls.right]) {
    const verdict = outbound.egress.policy.judgeUrl(url);
    if (!verdict.ok) throw refusalError(verdict.refusal);
  }
  const side = (name: Side, url: string) => ({
    url,
    provider: providers[name] ?? provider,
    headers: headersOf(headers[name]),
  });
  if (paths === undefined) {
    const { pathname, search } = new URL(urls.right);
    return [
      { name: `${pathname}${search}`, left: side('left', urls.left), right: side('right', urls.right) },
    ];
  }
  return pathsFromList(paths.join('\n')).paths.map((path) => ({
    name: path,
    left: side('left', urlUnder(urls.left, path)),
    right: side('right', urlUnder(urls.right, path)),
  }));
}

function headersOf(given: Readonly<Record<string, string>> = {}): HeaderList {
  const sent = cleanRequestHeaders(Object.entries(given));
  const dropped = Object.keys(given).find((name) => !sent.some(([kept]) => kept === name.toLowerCase()));
  if (dropped === undefined) return sent;
  throw new SondeError('INVALID_REQUEST', `the header ${dropped} cannot be set`, {
    details: { field: 'headers' },
  });
}

function within(field: string, count: number, max: number): number {
  if (Number.isInteger(count) && count >= 1 && count <= max) return count;
  throw new SondeError('INVALID_REQUEST', `${field} is a whole number from 1 to ${max}, not ${count}`, {
    details: { field },
  });
}
