/**
 * Finds every code end to end, and compares clean pairs: over sockets, or from a recording where a socket cannot show
 * it.
 */
import { expect } from 'vitest';
import {
  computeDiff,
  type EnvDiff,
  FINDING_CODES,
  type Finding,
  type FindingCode,
  readSitemaps,
  routeSetFinding,
} from '../../src/compare/index.js';
import { createHarProvider, HAR_LIMITS, identifyEnvelope, readHar } from '../../src/probe/index.js';
import { openProbeClient } from '../../src/runtimes/node/probe.js';
import { startDnsServer } from '../support/dns-server.js';
import { listenHttp } from '../support/listen.js';
import { CLEAN_PAIRS } from '../support/planted-drift/clean-pair.js';
import type { DriftCases } from '../support/planted-drift/drift-case.js';
import { PAGE_CASES } from '../support/planted-drift/page-cases.js';
import type { PlantedSides } from '../support/planted-drift/planted-sides.js';
import { TRAFFIC_CASES } from '../support/planted-drift/traffic-cases.js';
import { recordHar } from '../support/record-har.js';

const CASES: DriftCases = { ...TRAFFIC_CASES, ...PAGE_CASES };

/** Cases that need more than two responses: a name server, a recording, two sitemaps. */
const SPECIAL: Readonly<Record<string, { readonly severity: string; find(): Promise<readonly Finding[]> }>> =
  {
    ASSET_BROKEN: { severity: 'critical', find: brokenAsset },
    DNS_DRIFT: { severity: 'info', find: otherProvider },
    ROUTE_SET_DRIFT: { severity: 'warn', find: otherRoutes },
  };

export const PLANTED_CODES = Object.keys(FINDING_CODES) as readonly FindingCode[];

export async function expectFound(code: FindingCode, sides: PlantedSides): Promise<void> {
  const special = SPECIAL[code];
  const planted = CASES[code];
  if (!special && !planted) {
    throw new Error(`nothing is planted for ${code}: add a case to test/support/planted-drift/*-cases.ts`);
  }
  const findings = special ? await special.find() : planted ? (await sides.compare(planted)).findings : [];
  const found = findings.filter((finding) => finding.code === code && finding.stability !== 'noisy');
  const listed = findings.map(({ code: one, severity, stability }) => `${one} ${severity} ${stability}`);
  expect(
    found.map(({ severity }) => severity),
    `${code} among ${listed.join(', ')}`,
  ).toContain((special ?? planted)?.severity);
}

export async function expectClean(name: keyof typeof CLEAN_PAIRS, sides: PlantedSides): Promise<void> {
  const { findings, verdict, ruleErrors } = await sides.compare(CLEAN_PAIRS[name]);
  const above = findings.filter(({ severity }) => severity !== 'info');
  expect(above.map(({ code, message }) => `${code}: ${message}`)).toEqual([]);
  expect({ verdict, ruleErrors }).toEqual({ verdict: 'pass', ruleErrors: [] });
}

async function brokenAsset(): Promise<readonly Finding[]> {
  const side = (assetStatus: number) =>
    listenHttp((request, response) =>
      request.url === '/app.js'
        ? response.writeHead(assetStatus, { 'content-type': 'text/javascript' }).end('1')
        : response.writeHead(200, { 'content-type': 'text/html' }).end('<script src="/app.js"></script>'),
    );
  const [left, right] = [await side(404), await side(200)];
  try {
    const seen = async (origin: string) => {
      const text = await recordHar([`${origin}/`, `${origin}/app.js`]);
      const archive = await readHar(
        (async function* () {
          yield new TextEncoder().encode(text);
        })(),
        HAR_LIMITS,
      );
      return createHarProvider(archive).probe(`${origin}/`, { profile: 'full' });
    };
    return diffOf([await seen(left.origin), await seen(right.origin)]).findings;
  } finally {
    await left.close();
    await right.close();
  }
}

function diffOf([left, right]: readonly [
  Parameters<typeof identifyEnvelope>[0],
  Parameters<typeof identifyEnvelope>[0],
]): EnvDiff {
  const named = { comparisonId: 'planted', sample: 1 };
  return computeDiff(
    [identifyEnvelope(left, { ...named, side: 'left' })],
    [identifyEnvelope(right, { ...named, side: 'right' })],
  );
}

async function otherProvider(): Promise<readonly Finding[]> {
  const site = await listenHttp((_request, response) => response.end('x'));
  const dns = await startDnsServer(
    () => ['127.0.0.1'],
    (name) => (name.startsWith('www.') ? 'edge.provider.example' : undefined),
  );
  const urls = ['staging', 'www'].map((host) => `http://${host}.planted.test:${site.port}/`);
  const [left = '', right = ''] = urls;
  const outbound = openProbeClient({
    allowPrivate: urls.map((url) => new URL(url).origin),
    dnsServers: [dns.address],
  });
  try {
    const probe = (url: string) => outbound.provider.probe(url, { profile: 'full' });
    return diffOf([await probe(left), await probe(right)]).findings;
  } finally {
    await outbound.close();
    await dns.close();
    await site.close();
  }
}

async function otherRoutes(): Promise<readonly Finding[]> {
  const side = async (path: string) => {
    const own = await listenHttp((_request, response) =>
      response.end(
        `<urlset><url><loc>${own.origin}/a</loc></url><url><loc>${own.origin}${path}</loc></url></urlset>`,
      ),
    );
    return own;
  };
  const [left, right] = [await side('/old'), await side('/new')];
  try {
    const paths = ({ origin }: { readonly origin: string }) =>
      readSitemaps({
        url: `${origin}/sitemap.xml`,
        prefix: '',
        fetchBytes: async (url) => new Uint8Array(await (await fetch(url)).arrayBuffer()),
      });
    const finding = routeSetFinding(await paths(left), await paths(right), {
      labels: { left: 'staging', right: 'production' },
    });
    return finding ? [finding] : [];
  } finally {
    await left.close();
    await right.close();
  }
}
