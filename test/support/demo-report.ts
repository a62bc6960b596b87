/** A real report of the demo's two sites, over sockets, for the reporters' tests. */
import { type CompareReport, worstVerdict } from '../../src/cli/compare/compare-report.js';
import { DEMO_PATHS } from '../../src/cli/demo/demo-site.js';
import { openDemo } from '../../src/cli/demo/open-demo.js';
import { listenLocally } from '../../src/runtimes/node/listen-locally.js';
import { openProbeClient } from '../../src/runtimes/node/probe.js';
import { runComparison } from '../../src/workflows/compare-pairs.js';

export async function demoReport(paths: readonly string[] = DEMO_PATHS): Promise<CompareReport> {
  const sites = await openDemo({ listenLocally });
  const { staging, production } = sites;
  const outbound = openProbeClient({ allowPrivate: [staging, production] });
  try {
    const side = (origin: string, path: string) => ({
      url: `${origin}${path}`,
      provider: outbound.provider,
      headers: [],
    });
    const plans = paths.map((path) => ({
      name: path,
      left: side(staging, path),
      right: side(production, path),
    }));
    const pairs = await runComparison(plans, {
      samples: 3,
      profile: 'full',
      concurrency: 2,
      perHost: 4,
      compare: { labels: { left: 'staging', right: 'production' } },
      random: Math.random,
    });
    return {
      version: '1.2.3',
      startedAt: '2026-01-02T03:04:05.000Z',
      durationMs: 1234,
      candidate: 'left',
      leftLabel: 'staging',
      rightLabel: 'production',
      leftUrl: staging,
      rightUrl: production,
      pairs,
      suiteFindings: [],
      notes: ['GET /orders/{id}: no example for the required parameter id'],
      verdict: worstVerdict(pairs.map(({ diff }) => diff.verdict)),
      failOn: 'critical',
    };
  } finally {
    await outbound.close();
    await sites.close();
  }
}
