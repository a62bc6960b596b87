/** Probes and comparisons over a `fetch`, a resolver and a provider of the caller's own, without any network. */
import { expect, test, vi } from 'vitest';
import { compareSites, computeDiff, explainDiff } from './compare-sites.js';
import { type ISignalProvider, identifyEnvelope, openProbeClient } from './probe.js';

const PUBLIC = { resolve: async () => ['93.184.216.34'] };

function probeOver(...answers: (() => Response | Promise<Response>)[]) {
  const fetch = vi.fn<typeof globalThis.fetch>(async () => {
    const next = answers.shift();
    if (!next) throw new Error('one request too many');
    return next();
  });
  return { fetch, client: openProbeClient({ fetch, resolver: PUBLIC }) };
}

const redirect = (location: string, status = 302) => new Response('', { status, headers: { location } });

test('a probe sends its requests through a given fetch, one per hop', async () => {
  const { fetch, client } = probeOver(
    () => redirect('/redirect-1'),
    () => redirect('https://final.example.com', 307),
    () => new Response('Final', { headers: { 'cache-control': 'no-cache' } }),
  );
  const { result } = await client.provider.probe('https://example.com', { colo: 'LON' });
  expect(result).toMatchObject({
    ok: true,
    redirects: [
      { fromUrl: 'https://example.com/', toUrl: 'https://example.com/redirect-1', status: 302 },
      { toUrl: 'https://final.example.com/', status: 307 },
    ],
    response: {
      status: 200,
      finalUrl: 'https://final.example.com/',
      headers: { core: { 'cache-control': 'no-cache' } },
    },
  });
  expect(fetch.mock.calls.map(([, init]) => init?.redirect)).toEqual(['manual', 'manual', 'manual']);
});

const LOOP = 'https://example.com/loop';

test.each([
  ['a loop', [() => redirect(LOOP), () => redirect(LOOP)], 'redirect_loop'],
  ['a name without address', [() => Promise.reject(new Error('DNS lookup failed'))], 'dns_error'],
  ['a time limit', [() => Promise.reject(new Error('Timeout'))], 'timeout'],
])('%s is classified', async (_name, answers, code) => {
  const { client } = probeOver(...answers);
  const { result } = await client.provider.probe('https://example.com/');
  expect(result).toMatchObject({ ok: false, error: { code } });
});

test('the policy judges the URL and the addresses of a given resolver before the given fetch is called', async () => {
  const { fetch, client } = probeOver();
  const local = await client.provider.probe('http://localhost:8000');
  expect(local.result).toMatchObject({ ok: false, error: { code: 'ssrf_blocked' } });
  const inside = openProbeClient({ fetch, resolver: { resolve: async () => ['10.0.0.1'] } });
  const rebound = await inside.provider.probe('https://example.com/');
  expect(rebound.result).toMatchObject({ ok: false, error: { code: 'ssrf_blocked' } });
  expect(fetch).not.toHaveBeenCalled();
});

test('two envelopes are compared and explained', async () => {
  const taken = async (side: 'left' | 'right', status: number) => {
    const { client } = probeOver(() => new Response('x', { status }));
    const envelope = await client.provider.probe(`https://${side}.example.com/`);
    return identifyEnvelope(envelope, { comparisonId: 'one', side });
  };
  const diff = computeDiff(await taken('left', 500), await taken('right', 200));
  expect(diff.findings.map(({ code }) => code)).toContain('STATUS_MISMATCH');
  expect(explainDiff(diff).actions).not.toEqual([]);
});

test('a side of a comparison is probed by a given provider, the other over a given fetch', async () => {
  const own = probeOver(() => new Response('own', { status: 404 }));
  const probe = vi.fn<ISignalProvider['probe']>((url, context) => own.client.provider.probe(url, context));
  const report = await compareSites('https://staging.example.com', 'https://example.com', {
    samples: 1,
    confirmSamples: 1,
    profile: 'core',
    fetch: async () => new Response('live'),
    resolver: PUBLIC,
    providers: { left: { probe } },
  });
  expect(probe).toHaveBeenCalled();
  expect(report.pairs[0]?.diff.findings.map(({ code }) => code)).toContain('STATUS_MISMATCH');
  expect(report.verdict).toBe('fail');
});
