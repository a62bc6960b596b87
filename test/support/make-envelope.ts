/**
 * Builds envelopes from a short sketch: a test specifies only what it is about, and the rest is an ordinary page that
 * was fully observed. Headers are given flat and sorted into their families like a provider does.
 */
import {
  type BodyFacts,
  CORE_HEADER_NAMES,
  COVERAGE_SECTIONS,
  type CookieFacts,
  type CoverageSection,
  type Exchanges,
  type HtmlFacts,
  isExtendedHeader,
  type JsonEntry,
  type ProbeError,
  type RedirectHop,
  type Side,
  type SignalEnvelope,
} from '../../src/probe/index.js';

export interface Sketch {
  url?: string;
  finalUrl?: string;
  status?: number;
  /** Flat; undefined removes a default header. */
  headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
  otherNames?: readonly string[];
  cookies?: readonly (Partial<CookieFacts> & { readonly name: string })[];
  redirects?: readonly RedirectHop[];
  error?: ProbeError;
  durationMs?: number;
  json?: unknown;
  html?: Partial<HtmlFacts>;
  body?: Partial<BodyFacts>;
  exchanges?: Partial<Exchanges>;
  unobserved?: readonly CoverageSection[];
  /** Other members of the envelope, used unchanged. */
  more?: Partial<SignalEnvelope>;
}

/** The host of each side. */
export const HOSTS: Readonly<Record<Side, string>> = {
  left: 'staging.example.com',
  right: 'www.example.com',
};

const ORDINARY_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'public, max-age=600',
  vary: 'Accept-Encoding',
  date: 'Tue, 03 Mar 2026 10:00:00 GMT',
  server: 'nginx',
  'content-encoding': 'gzip',
  'x-content-type-options': 'nosniff',
};

const EMPTY_HTML: HtmlFacts = {
  robots: [],
  metas: [],
  httpEquiv: [],
  alternates: [],
  headings: [{ level: 1, text: 'Shop' }],
  landmarks: { main: 1, nav: 1 },
  forms: [],
  assets: [],
  links: [],
  inlineScripts: 0,
  inlineStyles: 0,
  structuredData: [],
  elements: 40,
  textChars: 900,
  truncated: false,
};

export function makeEnvelope(side: Side, sketch: Sketch = {}, sample = 1): SignalEnvelope {
  const url = sketch.url ?? `https://${HOSTS[side]}/page`;
  return {
    schemaVersion: 1,
    comparisonId: 'pair:1',
    probeId: `pair:1:${side}`,
    side,
    requestedUrl: url,
    capturedAt: '2026-03-03T10:00:00.000Z',
    sample,
    source: { kind: 'active', runner: 'node', version: '1', assurance: 'pinned' },
    request: {
      method: 'GET',
      profile: 'full',
      headerNames: ['accept', 'user-agent'],
      userAgent: 'SondeBot/1.0',
    },
    result: resultOf(url, sketch),
    coverage: { observed: observedOf(sketch) },
    protocol: 'http/1.1',
    address: { ip: '203.0.113.7', port: 443, family: 4 },
    ...(sketch.error === undefined && {
      cookies: (sketch.cookies ?? []).map((cookie) => ({ secure: true, httpOnly: true, ...cookie })),
      body: bodyOf(sketch),
      exchanges: { requests: 0, durationMs: 0, ...sketch.exchanges },
    }),
    ...sketch.more,
  };
}

function resultOf(url: string, sketch: Sketch): SignalEnvelope['result'] {
  const durationMs = sketch.durationMs ?? 120;
  const redirects = sketch.redirects && { redirects: sketch.redirects };
  if (sketch.error) return { ok: false, error: sketch.error, ...redirects, durationMs };
  const status = sketch.status ?? 200;
  const finalUrl = sketch.finalUrl ?? sketch.redirects?.at(-1)?.toUrl ?? url;
  const response = { status, finalUrl, headers: familiesOf(sketch) };
  return status < 400
    ? { ok: true, response, ...redirects, durationMs }
    : { ok: false, response, ...redirects, durationMs };
}

function familiesOf({ headers = {}, otherNames, json }: Sketch) {
  const type = json === undefined ? {} : { 'content-type': 'application/json' };
  const core: Record<string, string> = {};
  const accessControl: Record<string, string> = {};
  const extended: Record<string, readonly string[]> = {};
  for (const [name, value] of Object.entries({ ...ORDINARY_HEADERS, ...type, ...headers })) {
    if (value === undefined) continue;
    const lines = typeof value === 'string' ? [value] : value;
    if ((CORE_HEADER_NAMES as readonly string[]).includes(name)) core[name] = lines.join(', ');
    else if (name.startsWith('access-control-')) accessControl[name] = lines.join(', ');
    else if (isExtendedHeader(name)) extended[name] = lines;
    else throw new Error(`${name} is in no family; give its name in otherNames`);
  }
  return {
    core,
    ...(Object.keys(accessControl).length > 0 && { accessControl }),
    extended,
    otherNames: [...(otherNames ?? [])].sort(),
  };
}

function bodyOf({ json, html, body }: Sketch): BodyFacts {
  return {
    bytes: 4000,
    sha256: '1'.repeat(64),
    normalizedSha256: '2'.repeat(64),
    truncated: false,
    kind: json === undefined ? 'html' : 'json',
    ...(json === undefined
      ? { html: { ...EMPTY_HTML, ...html } }
      : { json: { entries: jsonEntries(json), truncated: false } }),
    ...body,
  };
}

/** In the order of the body reader: document order, depth first. */
export function jsonEntries(value: unknown, pointer = ''): JsonEntry[] {
  if (Array.isArray(value)) {
    const items = value.flatMap((item, index) => jsonEntries(item, `${pointer}/${index}`));
    return [{ pointer, type: 'array', length: value.length }, ...items];
  }
  if (value !== null && typeof value === 'object') {
    const members = Object.entries(value);
    const entries = members.flatMap(([key, item]) =>
      jsonEntries(item, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`),
    );
    return [{ pointer, type: 'object', length: members.length }, ...entries];
  }
  const type = value === null ? 'null' : (typeof value as 'string' | 'number' | 'boolean');
  return [
    {
      pointer,
      type,
      value: JSON.stringify(value),
      ...(typeof value === 'string' && { length: value.length }),
    },
  ];
}

function observedOf({ error, unobserved = [], exchanges = {}, more }: Sketch): readonly CoverageSection[] {
  if (error) return ['outcome', 'redirects'];
  const asked = new Set(Object.keys(exchanges).map((name) => `exchanges.${name}`));
  return COVERAGE_SECTIONS.filter((section) => {
    if (unobserved.includes(section)) return false;
    if (section.startsWith('exchanges.')) return asked.has(section);
    if (section === 'certificate') return more?.certificate !== undefined || asked.has('exchanges.tls');
    if (section === 'resources' || section === 'phases' || section === 'cf')
      return more?.[section] !== undefined;
    return true;
  });
}
