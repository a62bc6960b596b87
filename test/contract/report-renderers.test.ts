/** Reports rendered in a thread and without one: the same bytes, a bounded wait, and turns for tenants. */
import { afterAll, describe, expect, test } from 'vitest';
import { createInlineRenderer, type ReportRenderer } from '../../src/api/large-bodies.js';
import {
  diffReports,
  type Rendering,
  renderCsv,
  renderHtml,
  renderMarkdown,
} from '../../src/audits/index.js';
import { nextTurn } from '../../src/runtimes/node/next-turn.js';
import { createReportThread, type ReportThread } from '../../src/runtimes/node/server/report-thread.js';
import { sampleReport } from '../support/sample-report.js';
import { REPORT_WORKER_URL } from '../support/serve.js';

const [before, after] = [sampleReport(), sampleReport({}, true)];
const EXPECTED: Readonly<Record<Rendering, string>> = {
  csv: renderCsv(before),
  html: renderHtml(before),
  md: renderMarkdown(before),
  diff: JSON.stringify(diffReports(before, after)),
};
/** Small pieces, so that they end inside of values and escapes. */
const piecesOf = (value: unknown) => JSON.stringify(value).match(/[\s\S]{1,50}/g) ?? [];
const textsOf = (rendering: Rendering) =>
  rendering === 'diff' ? [piecesOf(before), piecesOf(after)] : [piecesOf(before)];

const threads: ReportThread[] = [];
function openThread(options: { renderMs?: number; waitingMax?: number } = {}): ReportThread {
  const thread = createReportThread({ workerUrl: REPORT_WORKER_URL, turn: nextTurn, ...options });
  threads.push(thread);
  return thread;
}
afterAll(async () => {
  for (const thread of threads) await thread.close();
});

async function render(renderer: ReportRenderer, rendering: Rendering, tenant = 't'): Promise<string> {
  return Buffer.concat(await renderer.render(tenant, rendering, textsOf(rendering))).toString();
}

describe.each([
  ['in a thread', () => openThread()],
  ['in steps', () => createInlineRenderer()],
] as const)('%s', (_name, open) => {
  test.each(Object.keys(EXPECTED) as Rendering[])('%s has the same bytes', async (rendering) => {
    expect(await render(open(), rendering)).toBe(EXPECTED[rendering]);
  });

  test('many at once keep apart', async () => {
    const renderer = open();
    const wanted = Array.from({ length: 12 }, (_, n) => (n % 2 === 0 ? 'csv' : 'diff') as Rendering);
    expect(await Promise.all(wanted.map((each) => render(renderer, each)))).toEqual(
      wanted.map((each) => EXPECTED[each]),
    );
  });

  test('a text that is no report fails, and the next one does not', async () => {
    const renderer = open();
    await expect(renderer.render('t', 'csv', [['{"rules":']])).rejects.toThrow(/JSON|could not be rendered/);
    expect(await render(renderer, 'csv')).toBe(EXPECTED.csv);
  });
});

test('a report that takes too long is refused as busy, and the next one gets a new thread', async () => {
  const slow = openThread({ renderMs: 0 });
  await expect(render(slow, 'csv')).rejects.toMatchObject({ code: 'SERVER_BUSY' });
  await expect(render(slow, 'csv')).rejects.toThrow('Try again later');
});

test('more reports than may wait are refused', async () => {
  const thread = openThread({ waitingMax: 2 });
  const accepted = ['a', 'b', 'b'].map((tenant) => render(thread, 'csv', tenant));
  await expect(render(thread, 'csv', 'b')).rejects.toMatchObject({ code: 'SERVER_BUSY' });
  expect(await Promise.all(accepted)).toEqual(Array(3).fill(EXPECTED.csv));
});
