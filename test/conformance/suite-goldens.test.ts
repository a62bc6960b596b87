/**
 * A suite of 50 paths with six systematic differences and one 500, in every format, as golden files: the diff shows
 * what a change of wording or layout does to a real report. `npm run generate` updates them.
 */
import { beforeAll, expect, test } from 'vitest';
import { type CompareReport, worstVerdict } from '../../src/cli/compare/compare-report.js';
import { githubReport, junitReport, sarifReport } from '../../src/cli/compare/machine-reports.js';
import { htmlReport } from '../../src/cli/reporters/html-report.js';
import { jsonReport } from '../../src/cli/reporters/json-report.js';
import { markdownReport } from '../../src/cli/reporters/markdown-report.js';
import { prettyReport } from '../../src/cli/reporters/pretty-report.js';
import { analysePair } from '../../src/workflows/compare-pairs.js';
import { makeEnvelope, type Sketch } from '../support/make-envelope.js';

const GOLDEN = '../golden/suite';
const PATHS = Array.from({ length: 50 }, (_, n) => `/p/${n + 1}`);
const BROKEN = '/p/17';
const ORIGINS = { left: 'https://staging.example.com', right: 'https://www.example.com' };
const SCREEN_LINES = 50;

const SAFE = {
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'content-security-policy': "default-src 'self'",
  'x-frame-options': 'DENY',
};

/**
 * What the candidate does worse on every path: no HSTS, a weaker CSP, no frame policy, no caching, no compression,
 * noindex.
 */
const WORSE = {
  'content-security-policy': "default-src 'self'; script-src 'self' 'unsafe-inline'",
  'cache-control': 'no-store',
  'content-encoding': undefined,
  'x-robots-tag': 'noindex',
};

function sketchOf(side: 'left' | 'right', path: string): Sketch {
  const url = `${ORIGINS[side]}${path}`;
  if (side === 'right') return { url, headers: SAFE };
  return path === BROKEN ? { url, status: 500, headers: WORSE } : { url, headers: WORSE };
}

let report: CompareReport;
beforeAll(async () => {
  const labels = { left: 'staging', right: 'production' };
  const pairs = await Promise.all(
    PATHS.map((path) =>
      analysePair(
        path,
        {
          left: [makeEnvelope('left', sketchOf('left', path))],
          right: [makeEnvelope('right', sketchOf('right', path))],
        },
        { compare: { labels }, samples: 1 },
      ),
    ),
  );
  report = {
    version: '1.2.3',
    startedAt: '2026-01-02T03:04:05.000Z',
    durationMs: 1234,
    candidate: 'left',
    leftLabel: labels.left,
    rightLabel: labels.right,
    leftUrl: ORIGINS.left,
    rightUrl: ORIGINS.right,
    pairs,
    suiteFindings: [],
    notes: [],
    verdict: worstVerdict(pairs.map(({ diff }) => diff.verdict)),
    failOn: 'critical',
  };
});

/** Formats that list every path get only a few of them. */
const few = (): CompareReport => ({ ...report, pairs: report.pairs.slice(14, 19) });

const pretty = () => prettyReport(report, { paint: (_meaning, word) => word, columns: 100 });

/** The flat list repeats the diffs of test/golden/compare; only its paths matter here. */
function groupsOnly(): string {
  const { comparisons, ...rest } = JSON.parse(jsonReport(report)) as { comparisons: { name: string }[] };
  return `${JSON.stringify({ ...rest, comparisons: comparisons.map(({ name }) => name) }, undefined, 2)}\n`;
}

test.each([
  ['pretty.txt', pretty],
  ['report.html', () => htmlReport(few())],
  ['report.md', () => markdownReport(report)],
  ['groups.json', groupsOnly],
  ['github.txt', () => githubReport(report)],
  ['report.sarif', () => sarifReport(report)],
  ['junit.xml', () => junitReport(few())],
])('the grouped suite as %s', async (file, render) => {
  await expect(render()).toMatchFileSnapshot(`${GOLDEN}/${file}`);
});

test('fits on one screen, with the 500 on top', () => {
  const lines = pretty().split('\n');
  expect(lines.length).toBeLessThanOrEqual(SCREEN_LINES);
  expect(lines.find((line) => /critical|warn {2}/.test(line) && line.includes('_'))).toContain(
    `STATUS_MISMATCH  on 1 of 50 paths: ${BROKEN}`,
  );
});
