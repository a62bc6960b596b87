/**
 * Cuts off running Workflows repeatedly: workerd is killed, or the objects that hold the run's records are aborted,
 * while comparisons and audits work on a slow site. Afterwards each acknowledged run has ended with exactly one result,
 * and no job is left unfinished.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { type FaultyEdge, startFaultyEdge } from '../support/faulty-edge.js';
import { type Listening, listenHttp } from '../support/listen.js';

export type Cut = 'kill' | 'abort';

export interface RunFigures {
  comparisons: number;
  audits: number;
  /** Runs that were still working when they were cut off. */
  cutOff: number;
  /** Runs that were created at the moment of the cut. */
  strays: number;
}

/** The smallest allowed value: a silent run is resumed after it. */
const QUIET_MS = 1_000;
const COMPARISONS = 2;
const AUDITS = 2;
const PAGES = 3;
/** How long the site takes per page; a run requests several, so that cuts hit every kind of step. */
const PAGE_MS = 60;
const ENDS_MS = 60_000;
/** Cuts are spread over this time, counted from the acknowledgement of the runs. */
const SPREAD_MS = 700;

interface Bench {
  readonly site: Listening;
  readonly figures: RunFigures;
  readonly cut: Cut;
  edge: FaultyEdge;
}

/**
 * With `strays`, runs are also created at the moment of the cut, without waiting for the response; whatever exists of
 * them has to end too. If a comparison's job was never created, its pair ends it after half a minute.
 */
export async function cutRuns(
  cuts: number,
  cut: Cut,
  { strays }: { readonly strays: boolean },
): Promise<RunFigures> {
  const figures: RunFigures = { comparisons: 0, audits: 0, cutOff: 0, strays: 0 };
  const folder = mkdtempSync(join(tmpdir(), 'sonde-edge-runs-'));
  const site = await startSlowSite();
  const start = () =>
    startFaultyEdge({
      folder,
      abortable: cut === 'abort',
      variables: { SONDE_ALLOW_PRIVATE: site.origin, SONDE_RUN_QUIET_MS: String(QUIET_MS) },
    });
  const bench: Bench = { site, figures, cut, edge: await start() };
  try {
    for (let n = 0; n < cuts; n++) {
      const paths = await beginRuns(bench, n);
      await new Promise((resolve) => setTimeout(resolve, (n * 337) % SPREAD_MS));
      figures.cutOff += (await Promise.all(paths.map((path) => isOver(bench, path)))).filter(
        (is) => !is,
      ).length;
      if (strays) strayRuns(bench, n);
      if (cut === 'abort') await abortRecords(bench, paths);
      else {
        await bench.edge.kill();
        bench.edge = await start();
      }
      for (const path of paths) await expectEnd(bench, path);
    }
    await vi.waitFor(() => expectNothingLeft(bench), { timeout: 2 * ENDS_MS, interval: 500 });
    expect(figures.cutOff).toBeGreaterThan(0);
    return figures;
  } finally {
    await bench.edge.stop();
    await site.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A home page that links to others; every page is slow. */
function startSlowSite(): Promise<Listening> {
  const links = Array.from({ length: PAGES }, (_, n) => `<a href="/p${n}">page ${n}</a>`).join('');
  const html = `<!doctype html><html lang=en><head><title>t</title></head><body><h1>Home</h1>${links}</body></html>`;
  return listenHttp((_request, response) => {
    setTimeout(() => response.setHeader('content-type', 'text/html').end(html), PAGE_MS);
  });
}

/** Every run has its own query, so that no two are the same work. */
const compare = ({ edge, site }: Bench, name: string) =>
  create(edge, '/api/compare', {
    leftUrl: `${site.origin}/l?n=${name}`,
    rightUrl: `${site.origin}/r?n=${name}`,
    samples: 2,
    profile: 'core',
  });

const audit = ({ edge, site }: Bench, name: string) =>
  create(edge, '/api/audits', { url: `${site.origin}/?n=${name}`, pages: PAGES, delayMs: 0 });

function beginRuns(bench: Bench, n: number): Promise<string[]> {
  bench.figures.comparisons += COMPARISONS;
  bench.figures.audits += AUDITS;
  return Promise.all([
    ...Array.from({ length: COMPARISONS }, (_, i) => compare(bench, `${n}-${i}`)),
    ...Array.from({ length: AUDITS }, (_, i) => audit(bench, `${n}-${i}`)),
  ]);
}

function strayRuns(bench: Bench, n: number): void {
  bench.figures.strays += 2;
  for (const begin of [compare, audit]) begin(bench, `${n}-stray`).catch(() => {});
}

async function create({ url }: FaultyEdge, path: string, body: object): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const made = await fetch(`${url}${path}`, { method: 'POST', body: JSON.stringify(body), headers });
  expect(made.ok, await made.clone().text()).toBe(true);
  return new URL(made.headers.get('location') ?? '').pathname;
}

interface Run {
  readonly status: string;
  readonly error?: unknown;
}

async function read({ edge }: Bench, path: string): Promise<Run> {
  const response = await fetch(`${edge.url}${path}`, { signal: AbortSignal.timeout(ENDS_MS) });
  expect(response.status, await response.clone().text()).toBe(200);
  return (await response.json()) as Run;
}

const isOver = async (bench: Bench, path: string) =>
  !/^(?:running|queued)$/.test((await read(bench, path)).status);

/** Aborts the tenant's records and the pairs that are being compared. */
async function abortRecords({ edge }: Bench, paths: readonly string[]): Promise<void> {
  const pairs = paths.flatMap((path) => /^\/api\/compare\/([0-9a-f]{40})/.exec(path)?.[1] ?? []);
  await Promise.all([
    edge.abort('AuditLedger', 'default'),
    ...pairs.map((pair) => edge.abort('ENVPAIR_DO', pair)),
  ]);
}

async function expectEnd(bench: Bench, path: string): Promise<void> {
  await vi.waitFor(async () => expect(await isOver(bench, path)).toBe(true), {
    timeout: ENDS_MS,
    interval: 100,
  });
  const run = await read(bench, path);
  if (path.startsWith('/api/audits')) return expect(run).toMatchObject({ status: 'done', progress: 100 });
  expect(run).toMatchObject({ status: 'completed', result: { diff: { counts: {} } } });
  const response = await fetch(`${bench.edge.url}${path}/probes`);
  const { probes } = (await response.json()) as { probes: { side: string }[] };
  expect(probes.map(({ side }) => side).sort()).toEqual(['left', 'right']);
}

async function expectNothingLeft({ edge }: Bench): Promise<void> {
  for (const status of ['running', 'queued', 'failed']) {
    const response = await fetch(`${edge.url}/api/jobs?status=${status}`);
    expect(((await response.json()) as { jobs: unknown[] }).jobs).toEqual([]);
  }
  const reply = await fetch(`${edge.url}/api/pairs?limit=200`);
  const { pairs } = (await reply.json()) as { pairs: { lastStatus: string }[] };
  expect(pairs.filter(({ lastStatus }) => lastStatus === 'running')).toEqual([]);
}
