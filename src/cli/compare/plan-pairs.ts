/** Plans the pairs that a `sonde compare` call compares: two URLs, or a suite from one of four sources. */
import {
  type Finding,
  prefixOf,
  recordedPaths,
  routeSetFinding,
  type SideLabels,
  sitemapUrl,
  urlUnder,
} from '../../compare/index.js';
import { SondeError } from '../../errors.js';
import type { HeaderList } from '../../net/index.js';
import type { Side } from '../../probe/index.js';
import { createHarProvider, HAR_LIMITS, readHar } from '../../probe/index.js';
import type { PairPlan } from '../../workflows/compare-pairs.js';
import type { CompareCommandOptions } from '../commands/compare.js';
import type { Files, ProbeClient } from '../ports.js';
import { type LabelOptions, labelsFor } from './side-names.js';
import { type FoundPaths, listPaths, openapiPaths, refuseEmpty, sitemapPaths } from './suite-sources.js';

const TEXT_BYTES_MAX = 16 * 1024 * 1024;

export interface Sources
  extends LabelOptions,
    Pick<CompareCommandOptions, 'paths' | 'sitemap' | 'openapi' | 'har'> {
  readonly left?: string;
  readonly right?: string;
  readonly leftHeaders: HeaderList;
  readonly rightHeaders: HeaderList;
}

export interface Plan {
  readonly pairs: readonly PairPlan[];
  readonly suiteFindings: readonly Finding[];
  readonly notes: readonly string[];
  readonly labels: SideLabels;
  readonly leftUrl: string;
  readonly rightUrl: string;
  /** Recordings always have a single sample. */
  readonly recorded?: true;
}

interface Ports {
  readonly files: Files;
  readonly outbound: ProbeClient;
}

export async function planPairs(sources: Sources, ports: Ports): Promise<Plan> {
  const kinds = [sources.paths, sources.sitemap, sources.openapi, sources.har].filter(
    (each) => each !== undefined,
  );
  if (kinds.length > 1)
    throw new SondeError('USAGE', 'give only one of --paths, --sitemap, --openapi and --har');
  if (sources.har) return planHar(sources.har, sources, ports);
  const { left, right } = sources;
  if (left === undefined || right === undefined) {
    throw new SondeError('USAGE', 'give two URLs: the candidate and the reference to compare it with');
  }
  refuseSides({ left, right }, ports.outbound);
  const pair = (name: string, leftUrl: string, rightUrl: string): PairPlan => ({
    name,
    left: { url: leftUrl, provider: ports.outbound.provider, headers: sources.leftHeaders },
    right: { url: rightUrl, provider: ports.outbound.provider, headers: sources.rightHeaders },
  });
  const common = { labels: labelsFor({ left, right }, sources), leftUrl: left, rightUrl: right };
  if (kinds.length === 0) {
    const { pathname, search } = new URL(right);
    return { pairs: [pair(`${pathname}${search}`, left, right)], suiteFindings: [], notes: [], ...common };
  }
  const { paths, notes, suiteFindings = [] } = await readPaths(sources, { left, right }, ports);
  const pairs = paths.map((path) => pair(path, urlUnder(left, path), urlUnder(right, path)));
  return { pairs, suiteFindings, notes, ...common };
}

/** Names the refused side and lists all origins to allow, so that nobody has to find them one by one. */
function refuseSides(urls: Readonly<Record<Side, string>>, outbound: ProbeClient): void {
  const refused = (['left', 'right'] as const).flatMap((side) => {
    try {
      outbound.refuse(urls[side]);
      return [];
    } catch (thrown) {
      if (thrown instanceof SondeError) return [{ side, error: thrown }];
      throw thrown;
    }
  });
  const [first] = refused;
  if (!first) return;
  const origins = refused.flatMap(({ error: { details } }) => {
    const { allow } = details;
    return typeof allow === 'string' ? [allow] : [];
  });
  throw new SondeError(first.error.code, `the ${first.side} URL: ${first.error.message}`, {
    cause: first.error,
    details: { ...first.error.details, ...(origins.length > 0 && { allow: origins.join(',') }) },
  });
}

async function readPaths(
  sources: Sources,
  bases: { readonly left: string; readonly right: string },
  { files, outbound }: Ports,
): Promise<FoundPaths & { readonly suiteFindings?: readonly Finding[] }> {
  const { paths, openapi, sitemap = '' } = sources;
  const read = (name: string) => files.readText(name, { bytesMax: TEXT_BYTES_MAX });
  if (paths !== undefined) return listPaths(await read(paths), paths);
  if (openapi !== undefined) return openapiPaths(await read(openapi), openapi);
  const pathsOf = (side: 'left' | 'right') =>
    sitemapPaths(outbound, {
      url: sitemapUrl(sitemap, bases, side),
      prefix: prefixOf(bases[side]),
      headers: sources[`${side}Headers`],
    });
  const [left, right] = await Promise.all([pathsOf('left'), pathsOf('right')]);
  const finding = routeSetFinding(left, right, {
    labels: labelsFor(bases, sources),
    candidate: sources.candidate,
  });
  const known = new Set(right);
  const shared = left.filter((path) => known.has(path));
  return { paths: refuseEmpty(shared), notes: [], suiteFindings: finding ? [finding] : [] };
}

async function planHar(names: readonly string[], sources: Sources, { files }: Ports): Promise<Plan> {
  const [leftName, rightName] = names;
  if (leftName === undefined || rightName === undefined || names.length > 2) {
    throw new SondeError('USAGE', '--har takes two files: the left recording and the right one');
  }
  const archives = await Promise.all([leftName, rightName].map((name) => openHar(files, name)));
  const [left, right] = archives.map((archive) => ({
    provider: createHarProvider(archive),
    found: recordedPaths(archive),
  }));
  if (!left || !right) throw new Error('two archives');
  const urls = { left: left.found[0]?.url ?? '', right: right.found[0]?.url ?? '' };
  const labels = labelsFor(urls, sources);
  const finding = routeSetFinding(
    left.found.map(({ path }) => path),
    right.found.map(({ path }) => path),
    { labels, candidate: sources.candidate },
  );
  const pairs = left.found.flatMap(({ path, url }): PairPlan[] => {
    const other = right.found.find((each) => each.path === path);
    if (!other) return [];
    return [
      {
        name: path,
        left: { url, provider: left.provider, headers: [] },
        right: { url: other.url, provider: right.provider, headers: [] },
      },
    ];
  });
  refuseEmpty(pairs);
  return {
    pairs,
    suiteFindings: finding ? [finding] : [],
    notes: [],
    labels,
    leftUrl: leftName,
    rightUrl: rightName,
    recorded: true,
  };
}

async function openHar(files: Files, name: string) {
  try {
    return await readHar(files.readChunks(name), HAR_LIMITS);
  } catch (thrown) {
    if (thrown instanceof SondeError && thrown.code === 'HAR_INVALID') {
      throw new SondeError('HAR_INVALID', `${name}: ${thrown.message}`, { cause: thrown });
    }
    throw thrown;
  }
}
