/**
 * The HAR provider: finds a URL in an archive, follows the recorded redirects, and returns the same kind of
 * envelope as an active probe, with the coverage of a recording.
 */
import { createRedactor } from '../../net/index.js';
import { tryUrl } from '../../try-url.js';
import { CoverageBuilder } from '../coverage.js';
import { cfOf, type ISignalProvider, type ProbeContext } from '../provider.js';
import {
  ENVELOPE_SCHEMA_VERSION,
  type HopFacts,
  type ProbeResult,
  type RedirectHop,
  type ResourceFacts,
  type SignalEnvelope,
} from '../signal-envelope.js';
import type { HarArchive } from './har-archive.js';
import { type HarRecord, urlKey } from './har-record.js';

const REDIRECTS_MAX = 10;
const RESOURCES_MAX = 1000;
const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);

export function createHarProvider(archive: HarArchive): ISignalProvider {
  const redactor = createRedactor();
  return {
    async probe(url, context = {}) {
      const key = redactor.text(urlKey(url));
      const first = archive.records.findIndex((record) => record.method === 'GET' && record.url === key);
      const shown = redactor.text(url);
      return first < 0
        ? notRecorded(archive, shown, context)
        : envelopeOf(archive, { first, shown }, context);
    },
  };
}

interface Found {
  readonly first: number;
  readonly shown: string;
}

function envelopeOf(archive: HarArchive, { first, shown }: Found, context: ProbeContext): SignalEnvelope {
  const chain = chainFrom(archive.records, first);
  const { records } = chain;
  const last = records.at(-1);
  const initial = records[0];
  if (!last || !initial) return notRecorded(archive, shown, context);
  const cf = cfOf(context);
  const hasResponse = !last.error && chain.fault === undefined;
  const resources = resourcesOf(archive.records, records);
  return {
    ...headOf(archive, shown, last),
    capturedAt: initial.startedAt,
    ...(cf && { cf }),
    result: resultOf(chain, last),
    request: last.request,
    coverage: coverageOf(archive, last, { hasResponse, cf: cf !== undefined }),
    hops: records.filter(({ error }) => !error).map(hopOf),
    ...(hasResponse && last.phases && { phases: last.phases }),
    ...(hasResponse && last.protocol !== undefined && { protocol: last.protocol }),
    ...(hasResponse && last.address && { address: last.address }),
    ...(hasResponse && !archive.sanitized && { cookies: last.cookies }),
    ...(hasResponse && last.body && { body: last.body }),
    ...(resources.length > 0 && { resources }),
  };
}

interface Chain {
  readonly records: readonly HarRecord[];
  readonly redirects: readonly RedirectHop[];
  readonly fault?: 'redirect_loop' | 'redirect_limit' | 'redirect_missing_location' | 'fetch_error';
}

/** Each hop has its own entry; the next hop is the first later entry with the target URL of the redirect. */
function chainFrom(all: readonly HarRecord[], first: number): Chain {
  const records: HarRecord[] = [];
  const redirects: RedirectHop[] = [];
  const visited = new Set<string>();
  let at = first;
  for (;;) {
    const record = all[at];
    if (!record) return { records, redirects, fault: 'fetch_error' };
    records.push(record);
    visited.add(record.url);
    if (!REDIRECT_STATUSES.has(record.status)) return { records, redirects };
    if (record.redirectUrl === undefined) return { records, redirects, fault: 'redirect_missing_location' };
    redirects.push({ fromUrl: record.url, toUrl: record.redirectUrl, status: record.status });
    const next = urlKey(record.redirectUrl);
    if (visited.has(next)) return { records, redirects, fault: 'redirect_loop' };
    if (redirects.length > REDIRECTS_MAX) return { records, redirects, fault: 'redirect_limit' };
    at = all.findIndex((each, index) => index > at && each.method === 'GET' && each.url === next);
  }
}

const FAULTS: Readonly<Record<NonNullable<Chain['fault']>, string>> = {
  redirect_loop: 'the recording redirects back to where it came from',
  redirect_limit: `more than ${REDIRECTS_MAX} redirects`,
  redirect_missing_location: 'a redirect without a Location',
  fetch_error: 'the recording ends in a redirect and has no entry for its target',
};

function resultOf({ records, redirects, fault }: Chain, last: HarRecord): ProbeResult {
  const durationMs = records.reduce((sum, record) => sum + (record.durationMs ?? 0), 0);
  const chain = { ...(redirects.length > 0 && { redirects }), durationMs };
  if (fault !== undefined) {
    const details = { url: last.redirectUrl ?? last.url, hop: records.length };
    return { ok: false, error: { code: fault, message: FAULTS[fault], details }, ...chain };
  }
  if (last.error) return { ok: false, error: last.error, ...chain };
  const response = {
    status: last.status,
    finalUrl: last.url,
    headers: last.headers,
    ...(last.contentLength !== undefined && { contentLength: last.contentLength }),
    ...(last.body?.sha256 !== undefined && { bodyHash: last.body.sha256 }),
  };
  return last.status < 400 ? { ok: true, response, ...chain } : { ok: false, response, ...chain };
}

function hopOf({ url, status, protocol, address, phases }: HarRecord): HopFacts {
  return {
    url,
    status,
    ...(protocol !== undefined && { protocol }),
    ...(address && { address }),
    ...(phases && { phases }),
  };
}

function headOf({ creator, sanitized }: HarArchive, shown: string, record?: HarRecord) {
  return {
    schemaVersion: ENVELOPE_SCHEMA_VERSION,
    comparisonId: 'unknown',
    probeId: 'unknown',
    side: 'left',
    requestedUrl: shown,
    source: {
      kind: 'har',
      ...(creator.name !== '' && { runner: creator.name }),
      ...(creator.version !== '' && { version: creator.version }),
      sanitized,
      ...(record && { cacheState: record.cacheState }),
    },
  } as const;
}

/** The resources of one page: the other entries of its page, or all entries if the recorder has no pages. */
function resourcesOf(all: readonly HarRecord[], chain: readonly HarRecord[]): ResourceFacts[] {
  const page = chain[0]?.page;
  return all
    .filter((record) => !chain.includes(record) && record.page === page)
    .slice(0, RESOURCES_MAX)
    .map(({ url, method, status, error, kind, headers }) => {
      const contentType = headers.core['content-type'];
      return {
        url,
        method,
        ...(error ? { error: error.code } : { status }),
        kind,
        ...(contentType !== undefined && { contentType }),
      };
    });
}

function coverageOf(
  archive: HarArchive,
  last: HarRecord,
  { hasResponse, cf }: { readonly hasResponse: boolean; readonly cf: boolean },
) {
  const coverage = new CoverageBuilder()
    .addObserved('outcome', 'redirects', 'resources')
    .add(cf, 'cf', 'platform');
  coverage.addGap('platform', 'certificate');
  if (!hasResponse) return coverage.build();
  const { body, phases, protocol, address, cacheState, durationMs } = last;
  coverage.addObserved('status', 'headers.core', 'headers.extended', 'headers.names');
  coverage.add(!archive.sanitized, 'cookies', 'sanitized').add(!archive.sanitized, 'challenge', 'sanitized');
  // A response from the browser's cache does not show how fast the site is.
  const measured = cacheState === 'network';
  coverage.add(measured && durationMs !== undefined, 'timing', 'not-applicable');
  coverage.add(measured && phases !== undefined, 'phases', 'not-applicable');
  coverage.add(protocol !== undefined, 'protocol', 'platform');
  coverage.add(address !== undefined, 'address', 'platform');
  coverage.add(body !== undefined, 'body', 'not-applicable');
  coverage.add(body?.sha256 !== undefined, 'body.content', 'not-applicable');
  return coverage.build();
}

function notRecorded(archive: HarArchive, shown: string, context: ProbeContext): SignalEnvelope {
  const cf = cfOf(context);
  const valid = /^https?:\/\//i.test(shown) && tryUrl(shown) !== undefined;
  return {
    ...headOf(archive, shown),
    capturedAt: archive.records[0]?.startedAt ?? new Date(0).toISOString(),
    ...(cf && { cf }),
    result: {
      ok: false,
      error: valid
        ? { code: 'fetch_error', message: 'the recording has no GET request for this URL' }
        : { code: 'invalid_url', message: 'this is not an http or https URL' },
      durationMs: 0,
    },
    coverage: new CoverageBuilder().addObserved('outcome').build(),
  };
}
