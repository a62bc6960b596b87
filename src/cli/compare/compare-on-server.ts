/** `sonde compare --server`: runs a comparison or a suite as a durable job on a server. */
import type { ComparisonView, NewComparison } from '../../api/views/comparison.js';
import type { NewSuite, SuitePage } from '../../api/views/suite.js';
import { CONFIRM_SAMPLES_DEFAULT } from '../../compare/index.js';
import type { Settings } from '../../config/settings.js';
import { SondeError } from '../../errors.js';
import { explainDiff } from '../../explain/index.js';
import type { HeaderList } from '../../net/index.js';
import type { Side } from '../../probe/index.js';
import type { RunOptions } from '../../workflows/compare-pairs.js';
import { type CliContext, printNote } from '../cli-context.js';
import { readHeaderOptions } from '../header-options.js';
import { followWork, jsonCall, type ServerWork } from '../server-job.js';
import { callJson } from '../server-json.js';
import type { CompareCall, ComparedPairs } from './compare-from-command.js';
import type { CompareReport, ReportedPair } from './compare-report.js';
import { labelsFor } from './side-names.js';
import { listPaths, openapiPaths } from './suite-sources.js';

const SCOPE = ['compare:read', 'compare:write'] as const;
const TEXT_BYTES_MAX = 16 * 1024 * 1024;
const ROWS_PER_PAGE = 100;

interface ServerComparison extends CompareCall, Pick<ServerWork, 'settings' | 'progress'> {
  readonly run: RunOptions;
}

export async function compareOnServer(
  context: CliContext,
  { settings, urls, options, run, progress }: ServerComparison,
): Promise<ComparedPairs> {
  const [left, right] = urls;
  if (left === undefined || right === undefined) throw new SondeError('USAGE', '--server needs two URLs');
  if (options.har) throw new SondeError('USAGE', '--har is read here and cannot be used with --server');
  const request = await buildRequest(context, { left, right }, { options, run });
  const isSuite = 'paths' in request || 'sitemap' in request;
  const resource = isSuite ? '/api/suites' : '/api/compare';
  const call = jsonCall(resource, SCOPE, request);
  const created: NewSuite | NewComparison = await callJson(context, settings, call);
  const id = 'suiteId' in created ? created.suiteId : created.comparisonId;
  await printNote(context, `${isSuite ? 'suite' : 'comparison'} ${id} at ${settings.client.server}`);
  await followWork(context, { settings, path: `${resource}/${id}`, scope: SCOPE, progress });
  const reader = new ServerReader(context, settings);
  const labels = labelsFor({ left, right }, options);
  const sides = { leftLabel: labels.left, rightLabel: labels.right, leftUrl: left, rightUrl: right };
  if (isSuite) return { ...(await reader.suite(id)), ...sides };
  const { pathname, search } = new URL(right);
  const pair = await reader.pair(`${pathname}${search}`, id);
  return { pairs: [pair], suiteFindings: [], notes: [], ...sides };
}

async function buildRequest(
  { files }: CliContext,
  { left, right }: Readonly<Record<Side, string>>,
  { options, run }: Pick<ServerComparison, 'options' | 'run'>,
): Promise<Record<string, unknown>> {
  const read = (name: string) => files.readText(name, { bytesMax: TEXT_BYTES_MAX });
  const { paths, openapi, sitemap, ignore, labelLeft, labelRight } = options;
  const found =
    paths !== undefined
      ? listPaths(await read(paths), paths)
      : openapi !== undefined
        ? openapiPaths(await read(openapi), openapi)
        : undefined;
  const [leftHeaders, rightHeaders] = [
    headerRecord(await readHeaderOptions(options.headerLeft, '--header-left')),
    headerRecord(await readHeaderOptions(options.headerRight, '--header-right')),
  ];
  return {
    leftUrl: left,
    rightUrl: right,
    candidate: options.candidate,
    samples: run.samples,
    // Without the option, the server's own setting applies.
    ...(run.confirmSamples !== CONFIRM_SAMPLES_DEFAULT && { confirmSamples: run.confirmSamples }),
    profile: run.profile,
    ...(ignore && { ignore }),
    ...(labelLeft && { leftLabel: labelLeft }),
    ...(labelRight && { rightLabel: labelRight }),
    ...(leftHeaders && { leftHeaders }),
    ...(rightHeaders && { rightHeaders }),
    ...(found && { paths: found.paths }),
    ...(sitemap !== undefined && { sitemap }),
    ...((found || sitemap !== undefined) && { concurrency: run.concurrency, perHost: run.perHost }),
  };
}

const headerRecord = (headers: HeaderList): Record<string, string> | undefined =>
  headers.length === 0 ? undefined : Object.fromEntries(headers);

class ServerReader {
  readonly #context: CliContext;
  readonly #settings: Settings;

  constructor(context: CliContext, settings: Settings) {
    this.#context = context;
    this.#settings = settings;
  }

  async suite(id: string): Promise<Pick<CompareReport, 'pairs' | 'suiteFindings' | 'notes'>> {
    const pairs: ReportedPair[] = [];
    for (let after = -1; ; ) {
      const query = new URLSearchParams({ after: String(after), limit: String(ROWS_PER_PAGE) });
      const page = await this.#get<SuitePage>(`/api/suites/${id}?${query}`);
      if (page.status !== 'completed') throw failed('suite', page);
      for (const { path, comparisonId } of page.rows) pairs.push(await this.pair(path, comparisonId));
      after = page.rows.at(-1)?.n ?? after;
      if (page.rows.length < ROWS_PER_PAGE) return { pairs, suiteFindings: page.findings, notes: page.notes };
    }
  }

  async pair(name: string, id: string): Promise<ReportedPair> {
    const shown = await this.#get<ComparisonView>(`/api/compare/${id}`);
    const { left, right, diff, explanation } = shown.result ?? {};
    if (!left || !right || !diff) throw failed(`comparison of ${name}`, shown);
    return { name, left, right, diff, explanation: explanation ?? explainDiff(diff) };
  }

  #get<T>(path: string): Promise<T> {
    return callJson(this.#context, this.#settings, { method: 'GET', path, scope: SCOPE });
  }
}

function failed(what: string, { status, error }: Pick<ComparisonView, 'status' | 'error'>): SondeError {
  return new SondeError(
    'fetch_error',
    `the ${what} ended as ${status}: ${error?.message ?? 'no reason given'}`,
  );
}
