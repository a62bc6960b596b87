/**
 * The durable run of a suite: its paths are determined once, then each is compared, with limits on concurrent paths
 * and on concurrent probes per host. The comparison of a path is a row like any other and runs in the same workflow;
 * its outcome is recorded before the next path starts. A suite that is killed anywhere and resumed continues with the
 * paths that have no outcome yet, and each path ends with exactly one.
 */
import {
  type ComparisonKey,
  type ComparisonRow,
  createPairComparison,
  type EnvDiff,
  erasedFields,
  HostSlots,
  type PathOutcome,
  prefixOf,
  RUN_CANCELED,
  readSitemaps,
  routeSetFinding,
  type SideBases,
  SUITE_LIMITS,
  type SuiteKey,
  type SuitePathRow,
  type SuiteRow,
  type SuiteStore,
  sideLabels,
  sitemapUrl,
  suitePlan,
  urlUnder,
} from '../compare/index.js';
import { SondeError } from '../errors.js';
import type { StepOptions, Steps } from '../jobs/index.js';
import type { Side } from '../probe/index.js';
import { tryUrl } from '../try-url.js';
import {
  type CompareContext,
  type CompareDeps,
  type CompareRunOptions,
  compareEnvironments,
  finalError,
  labelsOf,
  openSides,
  type SideRequest,
  type SideRequests,
} from './compare-environments.js';

/** The content of the suite's `options_json`, validated when it was created. */
export interface SuiteRunOptions extends CompareRunOptions {
  readonly concurrency?: number;
  readonly perHost?: number;
  readonly explain?: boolean;
  /** A path or URL; absent if the paths were given. */
  readonly sitemap?: string;
}

export interface SuiteDeps {
  readonly suites: SuiteStore;
  readonly compare: CompareDeps;
  seal(request: SideRequest): Promise<Uint8Array>;
  redactUrl(url: string): string;
  /** Fetches a document through the egress layer. */
  fetchBytes(request: SideRequest, signal: AbortSignal): Promise<Uint8Array>;
  newUuid(): string;
}

const SUITE_DEFAULTS = { concurrency: 4, perHost: 4 } as const;

interface Run {
  readonly key: SuiteKey;
  readonly row: SuiteRow;
  readonly options: SuiteRunOptions;
  readonly deps: SuiteDeps;
  readonly context: CompareContext;
}

const PLAN_STEP: StepOptions = {
  retries: { limit: 2, delayMs: 1000, backoff: 'exponential' },
  timeoutMs: 300_000,
};

export async function compareSuite(key: SuiteKey, context: CompareContext, deps: SuiteDeps): Promise<void> {
  const row = await deps.suites.getSuite(key);
  if (!row) throw new SondeError('NOT_FOUND', 'suite not found');
  if (row.status !== 'running') return;
  const run: Run = { key, row, options: JSON.parse(row.optionsJson) as SuiteRunOptions, deps, context };
  try {
    await context.steps.do('planSuite', PLAN_STEP, () => plan(run));
    await comparePaths(run);
    await deps.suites.endSuite({ ...key, error: null });
    context.progress({ percent: 100, message: 'done' });
  } catch (thrown) {
    const error = finalError(thrown, context, 'the suite could not be finished');
    if (error !== undefined) await deps.suites.endSuite({ ...key, error });
    throw thrown;
  }
}

/** The requests of both sides, with their credentials, which are erased when the suite ends. */
async function sidesOf({ key, row, deps }: Run): Promise<SideRequests> {
  const sealed = await deps.suites.getSuiteSealed(key);
  if (!sealed) throw new SondeError('canceled', 'the suite ended while it was running');
  return openSides(row, sealed, deps.compare);
}

/** Given paths are already planned. With a sitemap, the paths are those that both sides have. */
async function plan(run: Run): Promise<number> {
  const { key, row, options, deps } = run;
  const { sitemap } = options;
  if (row.findingsJson !== null || sitemap === undefined) return row.paths;
  const sides = await sidesOf(run);
  const bases = { left: sides.left.url, right: sides.right.url };
  // If both fail, the suite fails with the left side's error, whichever failed first.
  const fetched = [
    sitemapOf(run, 'left', { sides, bases, sitemap }),
    sitemapOf(run, 'right', { sides, bases, sitemap }),
  ] as const;
  await Promise.allSettled(fetched);
  const [left, right] = [await fetched[0], await fetched[1]];
  const { candidate } = options;
  const labels = sideLabels(
    { left: row.leftUrl, right: row.rightUrl },
    { given: labelsOf(options), ...(candidate && { candidate }) },
  );
  const finding = routeSetFinding(left, right, { labels, ...(candidate && { candidate }) });
  const known = new Set(right);
  const paths = left.filter((path) => known.has(path));
  if (paths.length === 0)
    throw new SondeError('INVALID_REQUEST', 'sitemap: the two sides have no path in common');
  await deps.suites.planSuite(
    suitePlan(key, { bases, paths, findings: finding ? [finding] : [] }, deps.newUuid),
  );
  return paths.length;
}

interface SitemapSource {
  readonly sides: SideRequests;
  readonly bases: SideBases;
  readonly sitemap: string;
}

function sitemapOf({ deps, context }: Run, side: Side, { sides, bases, sitemap }: SitemapSource) {
  const { headers } = sides[side];
  const { origin } = new URL(bases[side]);
  return readSitemaps({
    url: sitemapUrl(sitemap, bases, side),
    prefix: prefixOf(bases[side]),
    // The headers of a side are sent only to its own origin.
    fetchBytes: (url) =>
      deps.fetchBytes({ url, headers: tryUrl(url)?.origin === origin ? headers : [] }, context.signal),
  });
}

async function comparePaths(run: Run): Promise<void> {
  const { key, options, deps, context } = run;
  const slots = new HostSlots(options.perHost ?? SUITE_DEFAULTS.perHost);
  const sides = await sidesOf(run);
  const { paths = 0, done: before = 0 } = (await deps.suites.getSuite(key)) ?? {};
  let done = before;
  let after = -1;
  for (;;) {
    const page = { after, limit: SUITE_LIMITS.pathsPerPage, openOnly: true };
    const open = [...(await deps.suites.getSuitePaths({ ...key, ...page }))];
    if (open.length === 0) return;
    after = open.at(-1)?.n ?? after;
    const lane = async (): Promise<void> => {
      for (let next = open.shift(); next; next = open.shift()) {
        context.signal.throwIfAborted();
        const outcome = await comparePath({ run, slots, sides }, next);
        if (!(await deps.suites.savePathOutcome({ ...key, n: next.n, ...outcome })))
          throw new SondeError('canceled', 'the suite ended while it was running');
        done += 1;
        const percent = Math.min(99, Math.floor((100 * done) / Math.max(1, paths)));
        context.progress({ percent, message: `${done} of ${paths}: ${next.path} ${outcome.verdict}` });
      }
    };
    const lanes = Math.min(options.concurrency ?? SUITE_DEFAULTS.concurrency, open.length);
    await Promise.all(Array.from({ length: lanes }, lane));
  }
}

/** A comparison records its own end; an interrupted one may run again from the beginning. */
const PLAIN_STEPS: Steps = { do: (_name, _options, act) => act() };

interface PathRun {
  readonly run: Run;
  readonly slots: HostSlots;
  readonly sides: SideRequests;
}

async function comparePath({ run, slots, sides }: PathRun, path: SuitePathRow): Promise<PathOutcome> {
  const { key, deps, context } = run;
  const child = { tenantId: key.tenantId, comparisonId: path.comparisonId };
  const compare: CompareDeps = {
    ...deps.compare,
    probe: (request, options) => slots.use(request.url, () => deps.compare.probe(request, options)),
  };
  const inner = { steps: PLAIN_STEPS, signal: context.signal, progress: () => undefined, lastAttempt: true };
  try {
    await createPath(run, path, sides);
    await compareEnvironments(child, inner, compare);
  } catch {
    // The reason is in the comparison's own row; only a cancellation stops the suite.
    if (context.signal.aborted) await endWithSuite(run, child);
    context.signal.throwIfAborted();
  }
  return outcomeOf(await deps.compare.store.getComparison(child));
}

/** An interrupted run continues elsewhere; if the suite has ended, its comparison must end too. */
async function endWithSuite({ key, deps }: Run, child: ComparisonKey): Promise<void> {
  const suite = await deps.suites.getSuite(key);
  if (suite?.status !== 'running') await deps.compare.store.failComparison({ ...child, error: RUN_CANCELED });
}

async function createPath(
  { key, options, deps }: Run,
  { path, comparisonId }: SuitePathRow,
  sides: SideRequests,
): Promise<void> {
  const { concurrency: _, perHost: __, sitemap: ___, explain = false, ...own } = options;
  const requests = {
    left: { url: urlUnder(sides.left.url, path), headers: sides.left.headers },
    right: { url: urlUnder(sides.right.url, path), headers: sides.right.headers },
  };
  const seal = async (request: SideRequest) =>
    request.headers.length === 0 && deps.redactUrl(request.url) === request.url ? null : deps.seal(request);
  const pair = { tenantId: key.tenantId, leftUrl: requests.left.url, rightUrl: requests.right.url };
  const erased = erasedFields(requests, deps.redactUrl);
  await createPairComparison(deps.compare.store, pair, {
    comparisonId,
    redactUrl: deps.redactUrl,
    optionsJson: JSON.stringify({ ...own, explain, ...(erased.length > 0 && { erased }) }),
    suiteId: key.suiteId,
    explain,
    sealed: { left: await seal(requests.left), right: await seal(requests.right) },
  });
}

function outcomeOf(row: ComparisonRow | undefined): PathOutcome {
  // Only a completed comparison has a result.
  if (!row?.resultJson) return { verdict: 'failed', findings: 0 };
  const { diff } = JSON.parse(row.resultJson) as { readonly diff: EnvDiff };
  return { verdict: diff.verdict, findings: diff.findings.length };
}
