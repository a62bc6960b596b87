import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Miniflare } from 'miniflare';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { renderCsv, renderHtml, renderMarkdown } from '../../src/audits/index.js';
import { startEdgeFixture } from '../support/edge-fixture.js';
import { sampleReport } from '../support/sample-report.js';

const FOLDER = fileURLToPath(new URL('../golden/compare/', import.meta.url));
const NAMES = readdirSync(FOLDER).flatMap((name) => /^(.+)\.diff\.json$/.exec(name)?.[1] ?? []);

let workerd: Miniflare;
beforeAll(async () => {
  workerd = await startEdgeFixture('goldens', {});
});
afterAll(() => workerd.dispose());

test('recorded envelopes produce the same bytes of a diff as on Node', async () => {
  expect(NAMES.length).toBeGreaterThanOrEqual(20);
  for (const name of NAMES) {
    const body = readFileSync(`${FOLDER}${name}.json`);
    const response = await workerd.dispatchFetch('http://edge/diff', { method: 'POST', body });
    expect(await response.text(), name).toBe(readFileSync(`${FOLDER}${name}.diff.json`, 'utf8').trimEnd());
  }
});

test('recorded facts produce the same bytes of a report, in every format', async () => {
  const forms = (await (await workerd.dispatchFetch('http://edge/report')).json()) as string[];
  const report = sampleReport();
  expect(forms).toEqual([
    JSON.stringify(report),
    renderHtml(report),
    renderMarkdown(report),
    renderCsv(report),
  ]);
});
