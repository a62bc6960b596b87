/** Evaluates recorded envelopes and facts in workerd, so that the results can be compared with those of Node. */
import { renderCsv, renderHtml, renderMarkdown } from '../../../src/audits/index.js';
import { computeDiff, serializeDiff } from '../../../src/compare/index.js';
import type { SignalEnvelope } from '../../../src/probe/index.js';
import { sampleReport } from '../../support/sample-report.js';

interface Pair {
  readonly left: readonly SignalEnvelope[];
  readonly right: readonly SignalEnvelope[];
}

// biome-ignore lint/style/noDefaultExport: the platform requires it
export default {
  async fetch(request: Request): Promise<Response> {
    if (new URL(request.url).pathname === '/diff') {
      const { left, right }: Pair = await request.json();
      return new Response(serializeDiff(computeDiff(left, right)));
    }
    const report = sampleReport();
    const forms = [JSON.stringify(report), renderHtml(report), renderMarkdown(report), renderCsv(report)];
    return Response.json(forms);
  },
};
