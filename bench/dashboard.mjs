// The dashboard in Chromium: the size of the first load, the main thread's processor time until the first content, the
// layout shift, and the longest frame while long lists scroll. There is no peer: the budget is our own.
import { join } from 'node:path';
import Database from 'libsql';
import { firstLoad } from '../scripts/check-dashboard-size.mjs';
import { call, callUntil, openDashboard } from '../scripts/open-dashboard.mjs';

const LOADS = 5;
const FINDINGS = 10_000;
const EVENTS = 100_000;
const EVENTS_PER_APPEND = 10_000;
const SCROLL_FRAMES = 300;
const SETTLE_MS = 2_000;

/** @typedef {import('../scripts/open-dashboard.mjs').OpenDashboard} OpenDashboard */
/** @typedef {import('playwright-core').Page} Page */

export async function run() {
  const { gzipBytes } = firstLoad();
  const dashboard = await openDashboard();
  try {
    const comparisonId = await storeManyFindings(dashboard);
    await storeManyEvents(dashboard.url);
    line('first load', `${gzipBytes} bytes compressed`);
    const loads = [];
    for (let n = 0; n < LOADS; n += 1) loads.push(await measureLoad(dashboard));
    line(
      'main thread to first content',
      `${medianOf(loads.map(({ cpuMs }) => cpuMs)).toFixed(0)} ms of processor time`,
    );
    line('layout shift', Math.max(...loads.map(({ shift }) => shift)).toFixed(4));
    const findings = await measureScroll(dashboard, `/ui/compare/${comparisonId}`, 'Findings');
    line(`longest frame, ${FINDINGS} findings`, describe(findings));
    const events = await measureScroll(
      dashboard,
      '/ui/stream/bench/events?view=events',
      'Server-sent events',
    );
    line(`longest frame, ${EVENTS} events`, describe(events));
  } finally {
    await dashboard.close();
  }
}

/** @param {string} name @param {string} figure */
function line(name, figure) {
  console.log(`dashboard  ${name.padEnd(32)} ${figure}`);
}

/** @param {{ longestMs: number, medianMs: number, taskMs: number, rows: number }} scroll */
function describe({ longestMs, medianMs, taskMs, rows }) {
  const clock = `by the clock ${longestMs.toFixed(0)} ms, median ${medianMs.toFixed(0)} ms`;
  return `${taskMs.toFixed(1)} ms of processor time (${clock}; ${rows} rows in the page)`;
}

/** @param {number[]} values */
function medianOf(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** Stores a real comparison with its findings multiplied. @param {OpenDashboard} dashboard */
async function storeManyFindings(dashboard) {
  const { compare } = await call(`${dashboard.url}/api/demo`);
  const { left: leftUrl, right: rightUrl } = compare;
  const { comparisonId } = await call(`${dashboard.url}/api/compare`, { leftUrl, rightUrl, samples: 1 });
  const path = `/api/compare/${comparisonId}`;
  await callUntil(`${dashboard.url}${path}`, ({ status }) => status === 'completed');
  await dashboard.whileStopped(() => {
    const database = new Database(join(dashboard.data, 'records.db'));
    const [row] = /** @type {{ id: string, result_json: string }[]} */ (
      database.prepare('SELECT id, result_json FROM comparisons').all()
    );
    if (!row) throw new Error('the comparison was not stored');
    const result = JSON.parse(row.result_json);
    const { findings } = result.diff;
    result.diff.findings = Array.from({ length: FINDINGS }, (_, n) => {
      const finding = findings[n % findings.length];
      return { ...finding, id: `${finding.id}:${n}`, message: `${finding.message} (${n})` };
    });
    database
      .prepare('UPDATE comparisons SET result_json = ? WHERE id = ?')
      .run(JSON.stringify(result), row.id);
    database.close();
  });
  return comparisonId;
}

/** @param {string} url */
async function storeManyEvents(url) {
  const stream = `${url}/v1/stream/bench/events`;
  const headers = { 'content-type': 'text/event-stream' };
  await fetch(stream, { method: 'PUT', headers });
  for (let first = 0; first < EVENTS; first += EVENTS_PER_APPEND) {
    const events = Array.from(
      { length: EVENTS_PER_APPEND },
      (_, n) => `data: {"token":"word ${first + n}"}\n\n`,
    );
    const response = await fetch(stream, { method: 'POST', headers, body: events.join('') });
    if (!response.ok) throw new Error(`the events were not stored: ${response.status}`);
  }
}

/** Measures in a browser with an empty cache. @param {OpenDashboard} dashboard */
async function measureLoad({ browser, url }) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
  const page = await context.newPage();
  const debug = await context.newCDPSession(page);
  await debug.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.goto(`${url}/ui`);
  await page.getByText('This server is accepting requests.').waitFor();
  const { metrics } = await debug.send('Performance.getMetrics');
  const seconds = metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
  const shift = await page.evaluate(
    () =>
      new Promise((resolve) => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) sum += /** @type {any} */ (entry).value;
        }).observe({ type: 'layout-shift', buffered: true });
        setTimeout(() => resolve(sum), 1_000);
      }),
  );
  await context.close();
  return { cpuMs: seconds * 1000, shift: Number(shift) };
}

/**
 * Scrolls a list from top to bottom, one step per frame, and measures the longest time between two frames.
 * @param {OpenDashboard} dashboard @param {string} path @param {string} label
 */
async function measureScroll({ browser, url }, path, label) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
  const page = await context.newPage();
  await page.goto(`${url}${path}`);
  const list = page.getByRole('region', { name: label });
  await list.locator('.virtual-row').first().waitFor({ timeout: 60_000 });
  // The cost of loading must not count as scrolling.
  await page.waitForTimeout(SETTLE_MS);
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] });
  const gaps = await list.evaluate(
    (place, frames) =>
      new Promise((resolve) => {
        const step = place.scrollHeight / frames;
        /** @type {number[]} */
        const taken = [];
        let [last, n] = [0, 0];
        place.scrollTop = 0;
        /** @param {number} now */
        const frame = (now) => {
          // The first frame still draws the previous content.
          if (n > 1) taken.push(now - last);
          last = now;
          n += 1;
          place.scrollTop += step;
          if (n <= frames) requestAnimationFrame(frame);
          else resolve(taken);
        };
        requestAnimationFrame(frame);
      }),
    SCROLL_FRAMES,
  );
  const taskMs = longestTaskMs(await browser.stopTracing());
  const rows = await list.locator('.virtual-row').count();
  await context.close();
  const times = /** @type {number[]} */ (gaps);
  return { longestMs: Math.max(...times), medianMs: medianOf(times), taskMs, rows };
}

/** @typedef {{ name: string, pid: number, tid: number, tdur?: number, args?: { name?: string } }} TraceEvent */

/**
 * Returns the longest task of a page's main thread, by the thread's own clock, which excludes other processes.
 * @param {Buffer} trace
 */
function longestTaskMs(trace) {
  /** @type {{ traceEvents: TraceEvent[] }} */
  const { traceEvents } = JSON.parse(trace.toString());
  const threads = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const tasks = traceEvents.filter(
    ({ pid, tid, tdur }) => tdur !== undefined && threads.has(`${pid} ${tid}`),
  );
  return tasks.reduce((most, { tdur = 0 }) => Math.max(most, tdur), 0) / 1000;
}
