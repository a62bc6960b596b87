/** The demo's comparison: the same code as `sonde compare`, with both demo origins allowed. */
import type { Settings } from '../../config/settings.js';
import { VERSION } from '../../version.js';
import { runComparison } from '../../workflows/compare-pairs.js';
import type { CliContext } from '../cli-context.js';
import { type CompareReport, worstVerdict } from '../compare/compare-report.js';
import { createProgress } from '../compare/progress.js';
import { DEMO_PATHS } from './demo-site.js';
import type { OpenDemo } from './open-demo.js';

export async function compareDemo(
  context: CliContext,
  settings: Settings,
  { staging, production }: OpenDemo,
): Promise<CompareReport> {
  const startedAt = Date.now();
  const net = { ...settings.net, allowPrivate: [...settings.net.allowPrivate, staging, production] };
  const outbound = await context.runtime.openProbes({ ...settings, net });
  try {
    const progress = createProgress(context);
    const side = (origin: string, path: string) => ({
      url: `${origin}${path}`,
      provider: outbound.provider,
      headers: [],
    });
    const plans = DEMO_PATHS.map((path) => ({
      name: path,
      left: side(staging, path),
      right: side(production, path),
    }));
    const pairs = await runComparison(plans, {
      samples: 3,
      confirmSamples: 3,
      profile: 'full',
      concurrency: 2,
      perHost: 4,
      compare: { sha256: outbound.sha256, labels: { left: 'staging', right: 'production' } },
      random: Math.random,
      onProgress: progress.step,
    });
    await progress.end();
    return {
      version: VERSION,
      startedAt: new Date(startedAt).toISOString(),
      durationMs: Date.now() - startedAt,
      candidate: 'left',
      leftLabel: 'staging',
      rightLabel: 'production',
      leftUrl: staging,
      rightUrl: production,
      pairs,
      suiteFindings: [],
      notes: [],
      verdict: worstVerdict(pairs.map(({ diff }) => diff.verdict)),
      failOn: 'critical',
    };
  } finally {
    await outbound.close();
  }
}
