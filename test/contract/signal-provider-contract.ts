/**
 * What every signal provider guarantees, however it collects its signals. The suite runs against each over real
 * sockets.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ISignalProvider, readEnvelope, type SignalEnvelope } from '../../src/probe/index.js';
import type { Listening } from '../support/listen.js';
import { SECRET, startSite } from '../support/site-server.js';

export interface OpenedProvider {
  readonly provider: ISignalProvider;
  close(): Promise<void>;
}

export const CONTRACT_PATHS = [
  '/json',
  '/page',
  '/missing',
  '/broken',
  '/empty',
  '/hang-up',
  '/loop',
  '/lost',
  '/hops/3',
  '/hops/10',
  '/hops/11',
  '/json?api_key=canary-4f9c2d71e8',
];

export function signalProviderContract(open: (origin: string) => Promise<OpenedProvider>): void {
  let site: Listening;
  let opened: OpenedProvider;
  const envelopes = new Map<string, SignalEnvelope>();
  beforeAll(async () => {
    site = await startSite();
    opened = await open(site.origin);
    for (const path of CONTRACT_PATHS) {
      envelopes.set(path, await opened.provider.probe(`${site.origin}${path}`, { profile: 'full' }));
    }
  });
  afterAll(async () => {
    await opened.close();
    await site.close();
  });
  const seen = (path: string): SignalEnvelope => {
    const envelope = envelopes.get(path);
    if (!envelope) throw new Error(path);
    return envelope;
  };
  const reply = (path: string) => {
    const { result } = seen(path);
    if (!('response' in result)) throw new Error(`${path}: ${result.error.code}`);
    return result;
  };
  const failure = (path: string) => {
    const { result } = seen(path);
    if (!('error' in result)) throw new Error(`${path}: answered`);
    return result;
  };

  it('returns an envelope that survives a round trip, for every outcome', () => {
    for (const [path, envelope] of envelopes) {
      expect(readEnvelope(JSON.parse(JSON.stringify(envelope)), path)).toEqual(envelope);
      expect(Date.parse(envelope.capturedAt)).not.toBeNaN();
    }
  });

  it('leaves the ids to its caller', () => {
    expect(seen('/json')).toMatchObject({ comparisonId: 'unknown', probeId: 'unknown', side: 'left' });
  });

  it('distinguishes the three outcomes', () => {
    expect(reply('/json').ok).toBe(true);
    expect(reply('/missing')).toMatchObject({ ok: false, response: { status: 404 } });
    expect(reply('/broken')).toMatchObject({ ok: false, response: { status: 503 } });
    expect(failure('/hang-up').ok).toBe(false);
  });

  it('measures the duration of a failure too', () => {
    expect(failure('/hang-up').durationMs).toBeGreaterThan(0);
    expect(failure('/loop').durationMs).toBeGreaterThan(0);
  });

  it('keeps exactly the six header families in core and accessControl', () => {
    const { headers } = reply('/json').response;
    expect(headers.core).toEqual({
      'cache-control': 'max-age=60',
      'content-type': 'application/json',
      vary: 'accept',
    });
    expect(headers.accessControl).toEqual({
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'etag',
    });
    expect(reply('/page').response.headers.accessControl).toBeUndefined();
  });

  it('keeps every line of the extended headers, and only the names of all others', () => {
    const { headers } = reply('/json').response;
    expect(headers.extended).toMatchObject({ etag: ['"v1"'], 'x-frame-options': ['DENY'] });
    expect(headers.otherNames).toContain('x-odd-name');
    expect(headers.extended).not.toHaveProperty('set-cookie');
  });

  it('records every hop of a chain and omits redirects if there are none', () => {
    expect(reply('/json')).not.toHaveProperty('redirects');
    const { redirects, response } = reply('/hops/3');
    expect(redirects).toEqual([
      { fromUrl: `${site.origin}/hops/3`, toUrl: `${site.origin}/hops/2`, status: 307 },
      { fromUrl: `${site.origin}/hops/2`, toUrl: `${site.origin}/hops/1`, status: 303 },
      { fromUrl: `${site.origin}/hops/1`, toUrl: `${site.origin}/hops/0`, status: 302 },
    ]);
    expect(response.finalUrl).toBe(`${site.origin}/hops/0`);
    expect(seen('/hops/3').hops?.map(({ status }) => status)).toEqual([307, 303, 302, 200]);
  });

  it('follows exactly ten redirects and refuses the eleventh', () => {
    expect(reply('/hops/10').redirects).toHaveLength(10);
    const { error, redirects } = failure('/hops/11');
    expect(error.code).toBe('redirect_limit');
    expect(redirects).toHaveLength(11);
  });

  it('reports loops and redirects without a Location', () => {
    expect(failure('/loop').error.code).toBe('redirect_loop');
    expect(failure('/loop').redirects).toHaveLength(2);
    expect(failure('/lost').error.code).toBe('redirect_missing_location');
  });

  it('stores facts about a JSON body, and never the body', () => {
    const { body } = seen('/json');
    expect(body).toMatchObject({ kind: 'json', truncated: false });
    expect(body?.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(reply('/json').response.bodyHash).toBe(body?.sha256);
    expect(body?.json?.entries).toContainEqual({ pointer: '/items', type: 'array', length: 2 });
    expect(body?.json?.entries).toContainEqual({
      pointer: '/items/1/name',
      type: 'string',
      value: '"two"',
      length: 3,
    });
    expect(body?.json?.entries).toContainEqual({ pointer: '/none', type: 'null', value: 'null' });
  });

  it('stores facts about a page', () => {
    const { html } = seen('/page').body ?? {};
    expect(html).toMatchObject({
      title: 'Shop & more',
      lang: 'en',
      charset: 'utf-8',
      canonical: `${site.origin}/shop`,
      robots: ['noindex'],
      metas: [{ name: 'og:title', content: 'Shop' }],
      headings: [{ level: 1, text: 'Shop now' }],
      landmarks: { form: 1, main: 1, nav: 1 },
      forms: [{ method: 'post', action: `${site.origin}/login`, fields: ['password:pw'], hasPassword: true }],
      links: [`${site.origin}/a?user`],
      inlineScripts: 1,
    });
    expect(html?.assets).toEqual([
      { kind: 'style', url: `${site.origin}/app.css`, integrity: 'sha384-abc', crossorigin: 'anonymous' },
      { kind: 'script', url: 'http://cdn.example/x.js' },
    ]);
  });

  it('stores cookies as names and flags', () => {
    expect(seen('/json').cookies).toEqual([
      { name: 'sid', path: '/', secure: true, httpOnly: true, sameSite: 'lax' },
      { name: 'theme', secure: false, httpOnly: false, lifetimeSeconds: 0, deletes: true },
    ]);
  });

  it('stores no credential in an envelope: cookies, members by name, query values', () => {
    expect(JSON.stringify([...envelopes.values()])).not.toContain(SECRET);
  });

  it('lists what it observed, and nothing for a side that did not respond', () => {
    expect(seen('/json').coverage?.observed).toEqual(
      expect.arrayContaining([
        'outcome',
        'status',
        'redirects',
        'headers.core',
        'headers.extended',
        'cookies',
        'body',
      ]),
    );
    expect(seen('/hang-up').coverage?.observed).not.toContain('status');
  });

  it('accepts all six fields of the runner', async () => {
    const cf = {
      colo: 'FRA',
      country: 'DE',
      asn: 13335,
      asOrganization: 'Example',
      tlsVersion: 'TLSv1.3',
      httpProtocol: 'HTTP/3',
    };
    const envelope = await opened.provider.probe(`${site.origin}/json`, cf);
    expect(envelope.cf).toEqual(cf);
  });

  describe('never throws', () => {
    const odd = [
      '',
      'not a url',
      'ftp://a.example/',
      'http://',
      'http://[::1',
      'javascript:alert(1)',
      '\u0000',
    ];
    it.each(odd)('for %j', async (url) => {
      const { result } = await opened.provider.probe(url);
      expect('error' in result && result.error.code).toBe('invalid_url');
    });
  });
}
