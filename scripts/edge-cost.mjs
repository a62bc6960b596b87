// What a million of each operation costs on Cloudflare in one month: the counts of the simulation (test/simulation)
// times the published prices. `node scripts/edge-cost.mjs` prints the table in docs/DEPLOY-CLOUDFLARE.md.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const MILLION = 1_000_000;
const OBJECT_GB = 0.128;
const DAYS_PER_MONTH = 30;

/**
 * @typedef {object} Counts the counted cost of one operation
 * @property {number} rowsWritten
 * @property {number} rowsRead
 * @property {number} calls calls to objects
 * @property {number} alarmsRun
 * @property {number} heldMs time in which objects were busy or held
 * @property {number} workerRequests
 * @property {number} workflowRuns
 */

/**
 * What a simulation cannot count. CPU time is an estimate; settings decide on stored bytes and their days.
 * @type {Record<string, { cpuMs: number, storedKb: number, storedDays: number }>}
 */
const ASSUMED = {
  'proxied response, unread': { cpuMs: 20, storedKb: 60, storedDays: 1 },
  'proxied response, read live': { cpuMs: 40, storedKb: 80, storedDays: 1 },
  comparison: { cpuMs: 300, storedKb: 60, storedDays: 30 },
  'audit of 20 pages': { cpuMs: 1_500, storedKb: 200, storedDays: 30 },
};

const read = (/** @type {string} */ name) =>
  JSON.parse(readFileSync(new URL(`edge-costs/${name}.json`, import.meta.url), 'utf8'));

/**
 * Returns the bill of a month with a million of this operation and nothing else, by unit.
 * @param {string} name @param {Counts} counts
 * @returns {{ units: Record<string, number>, dollars: Record<string, number>, total: number }}
 */
export function costOfMillion(name, counts) {
  const { plan, units: prices } = read('prices');
  const { cpuMs, storedKb, storedDays } = ASSUMED[name] ?? { cpuMs: 0, storedKb: 0, storedDays: 0 };
  const { rowsWritten, rowsRead, calls, alarmsRun, heldMs, workerRequests, workflowRuns } = counts;
  const invocations = workerRequests + workflowRuns;
  /** @type {Record<string, number>} */
  const units = {
    rowsWritten: rowsWritten * MILLION,
    rowsRead: rowsRead * MILLION,
    objectRequests: (calls + alarmsRun) * MILLION,
    objectGbSeconds: (heldMs / 1_000) * OBJECT_GB * MILLION,
    workerRequests: invocations * MILLION,
    cpuMs: cpuMs * MILLION,
    storedGbMonths: (storedKb / MILLION) * MILLION * (storedDays / DAYS_PER_MONTH),
    // One line per invocation, if `observability` is enabled and everything is sampled.
    logEvents: (invocations + calls + alarmsRun) * MILLION,
  };
  /** @type {Record<string, number>} */
  const dollars = {};
  for (const [unit, { perMillion, each = perMillion / MILLION, included }] of Object.entries(prices)) {
    dollars[unit] = Math.max(0, (units[unit] ?? 0) - included) * each;
  }
  const total = Object.values(dollars).reduce((sum, amount) => sum + amount, plan);
  return { units, dollars, total };
}

/** @type {readonly (readonly [title: string, unit: string])[]} */
const COLUMNS = [
  ['rows written', 'rowsWritten'],
  ['object requests', 'objectRequests'],
  ['duration', 'objectGbSeconds'],
  ['Worker requests', 'workerRequests'],
  ['CPU', 'cpuMs'],
  ['storage', 'storedGbMonths'],
  ['logs', 'logEvents'],
];

/** Returns the table for docs/DEPLOY-CLOUDFLARE.md. @returns {string} */
export function costTable() {
  const head = ['one million per month', 'rows each', ...COLUMNS.map(([title]) => title), 'total with plan'];
  const rows = Object.entries(/** @type {Record<string, Counts>} */ (read('counts'))).map(
    ([name, counts]) => {
      const { dollars, total } = costOfMillion(name, counts);
      const amounts = COLUMNS.map(([, unit]) => `$${Math.round(dollars[unit] ?? 0)}`);
      return [name, counts.rowsWritten, ...amounts, `**$${Math.round(total)}**`];
    },
  );
  const line = (/** @type {(string | number)[]} */ cells) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) console.log(costTable());
