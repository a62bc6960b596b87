/** `sonde demo`: starts two local environments with planted drift and compares them. Nothing leaves the machine. */
import type { Command } from 'commander';
import { type CliContext, printNote, printText } from '../cli-context.js';
import { loadSettings } from '../load-settings.js';

interface DemoOptions {
  readonly html?: string;
  readonly keep?: boolean;
}

async function demo(context: CliContext, self: Command): Promise<void> {
  const { html, keep } = self.opts<DemoOptions>();
  const { settings } = await loadSettings(context, self);
  const { openDemo } = await import('../demo/open-demo.js');
  const sites = await openDemo(context.runtime);
  try {
    await printNote(context, `staging     ${sites.staging}\nproduction  ${sites.production}\n`);
    const { compareDemo } = await import('../demo/compare-demo.js');
    const report = await compareDemo(context, settings, sites);
    const { renderReport } = await import('../reporters/write-reports.js');
    const options = { paint: context.paint, columns: context.terminal.stdout.columns };
    const text = await renderReport(context.json ? 'json' : 'pretty', report, options);
    await printText(context, text.trimEnd());
    if (html !== undefined) {
      await context.files.writeText(html, await renderReport('html', report, options));
      await printNote(context, `\nHTML report: ${html}`);
    }
    if (!keep) return;
    await printNote(
      context,
      `\nBoth sites keep running until Ctrl-C. Try: sonde compare ${sites.staging} ${sites.production} --allow-private ${sites.staging},${sites.production}`,
    );
    await context.runtime.claimStopSignal();
  } finally {
    await sites.close();
  }
}

export function addDemo(parent: Command, context: CliContext): void {
  parent
    .command('demo')
    .description('start two local environments with planted drift and compare them, offline')
    .option('--html <FILE>', 'also write an HTML report')
    .option('--keep', 'keep both sites running until Ctrl-C')
    .action((_options: DemoOptions, self: Command) => demo(context, self));
}
