/**
 * Processor time grows about linearly with hostile input: four times the input takes at most nine times as long, which
 * lies between linear (4) and quadratic (16). There is no absolute limit, because machines differ and growth does not.
 * A surface without a case does not compile. `npm run faults -- stall` measures the event loop of a whole server.
 */
import process from 'node:process';
import { expect, test } from 'vitest';
import { readSuiteRequest } from '../../src/api/routes/suite-request.js';
import { hasContentHash } from '../../src/audits/content-hash.js';
import { headerCharset } from '../../src/audits/extract/decode-html.js';
import { renderCsv } from '../../src/audits/report/render-csv.js';
import { parseRobots } from '../../src/audits/robots/parse-robots.js';
import { parseSitemap } from '../../src/audits/sitemap/parse-sitemap.js';
import { computeDiff } from '../../src/compare/compute-diff.js';
import { parseChallenges } from '../../src/compare/fields/challenges.js';
import { matchesGlob } from '../../src/compare/glob.js';
import { OriginMap } from '../../src/compare/origin-map.js';
import { cspDrift } from '../../src/compare/rules/csp-drift.js';
import { pathsFromSitemap } from '../../src/compare/suite/path-sources.js';
import { wordExcerpt } from '../../src/compare/word-diff.js';
import { parseInSteps } from '../../src/json-pieces.js';
import { runSteps } from '../../src/loop-turns.js';
import { cleanRequestHeaders, createPolicy } from '../../src/net/index.js';
import { parseJson } from '../../src/parse-json.js';
import { findOrigins } from '../../src/probe/body/find-origins.js';
import { readHar } from '../../src/probe/index.js';
import { compileAllowlist } from '../../src/proxy/allowlist.js';
import { readLifetime } from '../../src/streams/expiry.js';
import { storeJson } from '../../src/streams/json-messages.js';
import { essenceOf } from '../../src/streams/media-type.js';
import { parseOffset } from '../../src/streams/offset.js';
import { dataFrame } from '../../src/streams/sse-frames.js';
import { PathPattern, readPattern, readStreamPath } from '../../src/streams/subscriptions/stream-path.js';
import { makeEnvelope } from '../support/make-envelope.js';
import { sampleReport } from '../support/sample-report.js';

const SURFACES = [
  'api bodies',
  'suite requests',
  'json appends',
  'subscription paths',
  'subscription patterns',
  'allowlist patterns',
  'request headers',
  'stream headers',
  'url texts',
  'dns answers',
  'recordings',
  'robots.txt',
  'sitemaps',
  'asset names',
  'response headers',
  'pages',
  'events of line ends',
  'patterns of ignored keys',
  'hosts in a header',
  'sources of a security policy',
  'policies of a header',
  'words of two pages',
  'csv of a finding on many pages',
  'stored reports',
] as const;

const bytes = (text: string) => new TextEncoder().encode(text);
/** Refused input still took its time. */
const refused = async (act: () => unknown): Promise<void> => {
  try {
    await act();
  } catch {
    // The refusal is expected.
  }
};

const segments = 'https://api.example.com/x/projects/*/locations/*/publishers/*/models/*:predict';
const allowlist = compileAllowlist([segments]);
const deep = new PathPattern(Array.from({ length: 31 }, () => '**/a').join('/'));
const policy = createPolicy();

/** Hostile input of about `n` characters. */
const CASES: Readonly<Record<(typeof SURFACES)[number], (n: number) => unknown>> = {
  'api bodies': (n) => refused(() => parseJson('['.repeat(n))),
  'suite requests': (n) =>
    refused(() => readSuiteRequest(bytes(`{"har":{"log":{"x":[${'[],'.repeat(n / 3)}0]}}}`), 't')),
  'json appends': (n) => storeJson(bytes(`[${'[],'.repeat(n / 3)}0]`)),
  'subscription paths': (n) => refused(() => readStreamPath(`a${'/'.repeat(n)}a`, 'streams')),
  'subscription patterns': (n) => {
    void refused(() => readPattern(`a${'/'.repeat(n)}a`));
    return deep.matches(`${'a/'.repeat(n / 64)}b`);
  },
  'allowlist patterns': (n) =>
    allowlist.match(`https://api.example.com/x/projects/${'/locations//publishers/'.repeat(n / 23)}`),
  'request headers': (n) => cleanRequestHeaders([['x-a', `${'-client-'.repeat(n / 8)}`]]),
  'stream headers': (n) => {
    essenceOf(`text/plain${' ;'.repeat(n / 2)}`);
    void refused(() => readLifetime('0'.repeat(n), null));
    void refused(() => readLifetime(null, `2026-01-01T00:00:00.${'0'.repeat(n)}`));
    return refused(() => parseOffset(`${'0'.repeat(n)}_`));
  },
  'url texts': (n) => policy.judgeUrl(`http://${'a@'.repeat(n / 2)}\\`),
  'dns answers': (n) => {
    const verdict = policy.judgeUrl('http://example.com/');
    return verdict.ok && policy.judgeResponse(verdict.target, Array(n).fill('93.184.215.14'));
  },
  recordings: (n) => refused(() => readHar([bytes(`{"log":{"entries":[${'{},'.repeat(n / 3)}`)])),
  'robots.txt': (n) => parseRobots(`${'#'.repeat(n)}\u2028`),
  'asset names': (n) => hasContentHash(`https://example.com/${'-'.repeat(n)}a.js`),
  sitemaps: (n) => {
    const text = `<urlset>${'<a:loc>'.repeat(n / 7)}`;
    void refused(() => pathsFromSitemap(text));
    return parseSitemap(text, 'https://example.com/sitemap.xml', async () => {});
  },
  'response headers': (n) => {
    headerCharset(`a;${' charset'.repeat(n / 8)}`);
    return parseChallenges([`Digest ${' '.repeat(n)}a="`, `${'a='.repeat(n / 2)}`]);
  },
  pages: (n) => findOrigins('https://a.'.repeat(n / 10)),
  'events of line ends': (n) => dataFrame(bytes('\n'.repeat(n)), 'text/plain'),
  'patterns of ignored keys': (n) => matchesGlob(`*${'a'.repeat(n / 2)}b`, 'a'.repeat(n)),
  'hosts in a header': (n) => origins.mapText('staging.example.com '.repeat(n / 20), 'left'),
  'sources of a security policy': (n) => {
    const sources = distinct(n / 8);
    return cspOf(`script-src ${sources.join(' ')}`, `script-src ${sources.slice(0, -1).join(' ')}`);
  },
  'policies of a header': (n) => cspOf(distinct(n / 9, 'l').join(','), distinct(n / 9, 'r').join(',')),
  'words of two pages': (n) => {
    const [left, right] = [distinct(n / 8, 'l'), distinct(n / 8, 'r')];
    return wordExcerpt({ after: '', left, right });
  },
  'csv of a finding on many pages': (n) => {
    const urls = distinct(n / 8).map((word) => ({ url: `https://example.com/${word}` }));
    return renderCsv(reportOf(urls));
  },
  'stored reports': (n) =>
    runSteps(parseInSteps(`{"rules":[{"issues":[${'{"a":[{}]},'.repeat(n / 11)}0]}]}`)),
};

const distinct = (count: number, start = '') =>
  Array.from({ length: count }, (_, n) => start + n.toString(36).padStart(6, 'x'));
const cspOf = (left: string, right: string) => {
  const side = (name: 'left' | 'right', policy: string) =>
    makeEnvelope(name, { headers: { 'content-security-policy': policy } });
  const { findings, ruleErrors } = computeDiff([side('left', left)], [side('right', right)], {
    rules: [cspDrift],
  });
  if (findings.length === 0) throw new Error(`the policies were not compared: ${JSON.stringify(ruleErrors)}`);
};
const origins = new OriginMap(
  Array.from({ length: 20 }, (_, n) => ({
    left: `https://${n > 0 ? n : ''}staging.example.com`,
    right: `https://${n > 0 ? n : ''}www.example.com`,
  })),
);
const reportOf = ([first, ...also]: readonly { readonly url: string }[]) => {
  const report = sampleReport();
  const [rule] = report.rules;
  if (!rule || !first) throw new Error('there is no rule');
  const issue = { level: 'fail', observed: 'o', expected: 'e', ...first, also } as const;
  return { ...report, rules: [{ ...rule, issues: [issue], issueCount: 1 }] };
};

const CHARS = 40_000;
const GROWTH_MAX = 9;
/** Below this, the clock itself dominates. */
const NOISE_MS = 2;

async function cpuMs(run: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

async function best(run: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 5; round++) times.push(await cpuMs(run));
  return Math.min(...times);
}

test.each(SURFACES)('%s', async (surface) => {
  const act = CASES[surface];
  const once = Math.max(NOISE_MS, await best(() => act(CHARS)));
  const fourTimes = await best(() => act(4 * CHARS));
  expect(fourTimes / once).toBeLessThan(GROWTH_MAX);
});
