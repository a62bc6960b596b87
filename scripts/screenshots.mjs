// `npm run screenshots`: takes every page of the dashboard and the reference, light and dark, 390 and 1280 pixels wide,
// into screenshots/. The demo creates the content.
import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { call, callUntil, openDashboard } from './open-dashboard.mjs';

const folder = join(dirname(dirname(fileURLToPath(import.meta.url))), 'screenshots');
const THEMES = /** @type {const} */ (['light', 'dark']);
const WIDTHS = [390, 1280];

/** @typedef {{ name: string, path: string }} Shot */

/** @returns {Shot[]} pages of a server that has done nothing yet */
function emptyPages() {
  return [
    { name: 'home-empty', path: '/ui' },
    { name: 'compare-empty', path: '/ui/compare' },
    { name: 'audits-empty', path: '/ui/audits' },
    { name: 'streams-empty', path: '/ui/streams' },
  ];
}

/** Uses everything that the demo offers. @param {string} url */
async function makeContent(url) {
  const { compare, audit, model } = await call(`${url}/api/demo`, {});
  const { left: leftUrl, right: rightUrl, leftLabel, rightLabel, paths } = compare;
  const sides = { leftUrl, rightUrl, leftLabel, rightLabel };
  const { suiteId } = await call(`${url}/api/suites`, { ...sides, paths, samples: 1 });
  const compareOnce = async () => {
    const { comparisonId } = await call(`${url}/api/compare`, { ...sides, samples: 3 });
    return callUntil(`${url}/api/compare/${comparisonId}`, ({ status }) => status !== 'running');
  };
  await compareOnce();
  const comparison = await compareOnce();
  const auditOnce = async () => {
    const { auditId } = await call(`${url}/api/audits`, { url: audit.url });
    return callUntil(`${url}/api/audits/${auditId}`, ({ status }) => status === 'done');
  };
  await auditOnce();
  const { auditId } = await auditOnce();
  await callUntil(`${url}/api/suites/${suiteId}`, ({ status }) => status !== 'running');
  const stream = `${url}/v1/stream/notes/today`;
  const json = { 'content-type': 'application/json' };
  await fetch(stream, { method: 'PUT', headers: json });
  for (let n = 1; n <= 30; n += 1) {
    await fetch(stream, { method: 'POST', headers: json, body: JSON.stringify({ n, text: `note ${n}` }) });
  }
  const sent = await fetch(`${url}/r/${model.route}/${model.path}`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify(model.body),
  });
  await sent.text();
  // The plots of the last hour need two points, one per minute.
  await callUntil(`${url}/api/system`, ({ points }) => points.length >= 2);
  const location = new URL(sent.headers.get('stream-location') ?? '', url);
  const response = location.pathname.split('/').at(-1) ?? '';
  return { suiteId, comparisonId: comparison.comparisonId, pairKey: comparison.pairKey, auditId, response };
}

/** @param {Awaited<ReturnType<typeof makeContent>>} made @returns {Shot[]} */
function filledPages({ suiteId, comparisonId, pairKey, auditId, response }) {
  return [
    { name: 'home', path: '/ui' },
    { name: 'compare', path: '/ui/compare' },
    { name: 'compare-new', path: '/ui/compare/new' },
    { name: 'comparison', path: `/ui/compare/${comparisonId}` },
    { name: 'comparison-probes', path: `/ui/compare/${comparisonId}?tab=probes` },
    { name: 'comparison-raw', path: `/ui/compare/${comparisonId}?tab=raw` },
    { name: 'pair', path: `/ui/pairs/${pairKey}` },
    { name: 'suite', path: `/ui/suites/${suiteId}` },
    { name: 'audits', path: '/ui/audits' },
    { name: 'audit-new', path: '/ui/audits/new' },
    { name: 'audit', path: `/ui/audits/${auditId}` },
    { name: 'audit-pages', path: `/ui/audits/${auditId}?tab=pages` },
    { name: 'audit-changes', path: `/ui/audits/${auditId}?tab=changes` },
    { name: 'streams', path: '/ui/streams' },
    { name: 'stream', path: '/ui/stream/notes/today' },
    { name: 'response-new', path: '/ui/responses/new?route=demo' },
    { name: 'response', path: `/ui/responses/${response}` },
    { name: 'response-events', path: `/ui/responses/${response}?view=events` },
    { name: 'system', path: '/ui/system' },
    { name: 'login', path: '/ui/login' },
    { name: 'not-found', path: '/ui/compare/none' },
    { name: 'landing', path: '/' },
    { name: 'docs', path: '/docs' },
    { name: 'docs-operation', path: '/docs#createComparison' },
  ];
}

/** @param {import('./open-dashboard.mjs').OpenDashboard} dashboard @param {readonly Shot[]} pages */
async function shoot({ browser, url }, pages) {
  for (const colorScheme of THEMES) {
    for (const width of WIDTHS) {
      const context = await browser.newContext({ colorScheme, viewport: { width, height: 844 } });
      const page = await context.newPage();
      for (const { name, path } of pages) {
        await page.goto(`${url}${path}`, { waitUntil: 'load' });
        await page.locator('h1, .swagger-ui h2').filter({ visible: true }).first().waitFor();
        await page.waitForFunction(() => document.querySelectorAll('.waiting').length === 0);
        // Plots and lazy parts are drawn after their data arrives.
        await page.waitForTimeout(400);
        const fullPage = !name.startsWith('docs');
        await page.screenshot({ path: join(folder, `${name}-${colorScheme}-${width}.png`), fullPage });
      }
      await context.close();
    }
  }
}

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const dashboard = await openDashboard();
try {
  await fetch(`${dashboard.url}/api/demo`, { method: 'DELETE' });
  await shoot(dashboard, emptyPages());
  await shoot(dashboard, filledPages(await makeContent(dashboard.url)));
  console.error(`screenshots: ${folder}`);
} finally {
  await dashboard.close();
}
