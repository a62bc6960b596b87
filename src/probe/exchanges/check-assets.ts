/**
 * Checks whether the assets of a page load. It sends HEAD requests for the styles, scripts, fonts, images, frames and
 * media of the page's own origin, in this order, through the guarded egress and within one budget of requests and
 * time. If a server does not support HEAD, it sends GET and does not read the body. Assets that could not be measured
 * (no time left, a timeout) are left out, so that a slow moment is never reported as a broken asset.
 */
import { discardBody, type Egress, followRedirects, type HeaderList } from '../../net/index.js';
import type { HtmlAsset } from '../body-facts.js';
import type { ResourceFacts } from '../signal-envelope.js';

const ASSET_CHECKS_MAX = 40;
const ASSET_TOTAL_MS = 10_000;
const ASSET_REQUEST_MS = 5_000;
const LANES = 4;
const REDIRECTS_MAX = 5;
const CONTENT_TYPE_CHARS = 100;
const REMEMBERED_MAX = 1_000;
const REMEMBERED_MS = 60_000;
/** In order of importance for the page. */
const KINDS: readonly HtmlAsset['kind'][] = ['style', 'script', 'font', 'image', 'frame', 'media'];
/** Statuses with which servers reject the method rather than the asset. */
const NO_HEAD: ReadonlySet<number> = new Set([400, 403, 405, 500, 501]);
const UNMEASURED: ReadonlySet<string> = new Set(['timeout', 'canceled', 'ssrf_blocked']);

/** Caches recent results: the pages of a suite share their assets. */
export class AssetMemory {
  readonly #known = new Map<string, { readonly at: number; readonly facts: ResourceFacts }>();

  get(url: string, now: number): ResourceFacts | undefined {
    const known = this.#known.get(url);
    return known && now - known.at < REMEMBERED_MS ? known.facts : undefined;
  }

  set(url: string, now: number, facts: ResourceFacts): void {
    if (this.#known.size >= REMEMBERED_MAX) this.#known.clear();
    this.#known.set(url, { at: now, facts });
  }
}

export interface AssetCheck {
  readonly egress: Egress;
  readonly memory: AssetMemory;
  readonly clock: () => number;
  readonly pageUrl: string;
  readonly assets: readonly HtmlAsset[];
  /** Already limited to what may be sent to the page's origin. */
  readonly headers: HeaderList;
  readonly signal?: AbortSignal;
}

export async function checkAssets(check: AssetCheck): Promise<readonly ResourceFacts[]> {
  const wanted = checkableAssets(check);
  const results = new Array<ResourceFacts | undefined>(wanted.length);
  const deadline = performance.now() + ASSET_TOTAL_MS;
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let at = next++; at < wanted.length; at = next++) {
      const asset = wanted[at];
      const msLeft = deadline - performance.now();
      if (!asset || msLeft <= 0 || check.signal?.aborted) return;
      results[at] = await checkAsset(asset, check, msLeft);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return results.filter((facts) => facts !== undefined);
}

/** Same origin, each once, in document order within a kind. A URL that redaction changed cannot be requested. */
function checkableAssets({ assets, pageUrl }: AssetCheck): readonly HtmlAsset[] {
  const { origin } = new URL(pageUrl);
  const byUrl = new Map<string, HtmlAsset>();
  for (const asset of assets) {
    if (!KINDS.includes(asset.kind) || !asset.url.startsWith(`${origin}/`)) continue;
    if (asset.url.includes('REDACTED') || asset.url.includes('…')) continue;
    const url = asset.url.replace(/#[\s\S]*/, '');
    if (!byUrl.has(url)) byUrl.set(url, { ...asset, url });
  }
  const rank = ({ kind }: HtmlAsset) => KINDS.indexOf(kind);
  return [...byUrl.values()].sort((a, b) => rank(a) - rank(b)).slice(0, ASSET_CHECKS_MAX);
}

async function checkAsset(
  { url, kind }: HtmlAsset,
  check: AssetCheck,
  msLeft: number,
): Promise<ResourceFacts | undefined> {
  const { memory, clock } = check;
  const known = memory.get(url, clock());
  if (known) return known;
  const totalMs = Math.min(ASSET_REQUEST_MS, Math.max(1, msLeft));
  let method = 'HEAD';
  let outcome = await request(url, method, { check, totalMs });
  if (outcome.status === undefined ? outcome.error !== undefined : NO_HEAD.has(outcome.status)) {
    method = 'GET';
    outcome = await request(url, method, { check, totalMs });
  }
  if (outcome.status === undefined && outcome.error === undefined) return undefined;
  const facts: ResourceFacts = { url, method, kind: kindOf(kind), ...outcome };
  memory.set(url, clock(), facts);
  return facts;
}

interface Outcome {
  readonly status?: number;
  readonly contentType?: string;
  readonly error?: string;
}

async function request(
  url: string,
  method: string,
  { check, totalMs }: { readonly check: AssetCheck; readonly totalMs: number },
): Promise<Outcome> {
  const result = await followRedirects(check.egress, {
    url,
    method,
    headers: check.headers,
    maxRedirects: REDIRECTS_MAX,
    limits: { totalMs },
    ...(check.signal && { signal: check.signal }),
  });
  if (!result.ok) return UNMEASURED.has(result.error.code) ? {} : { error: result.error.code };
  if (method === 'HEAD') await discardBody(result.response.body, 1);
  else result.response.body.cancel();
  const type = result.response.headers.find(([name]) => name === 'content-type')?.[1];
  const contentType = type?.split(';')[0]?.trim().toLowerCase().slice(0, CONTENT_TYPE_CHARS);
  return { status: result.response.status, ...(contentType && { contentType }) };
}

function kindOf(kind: HtmlAsset['kind']): ResourceFacts['kind'] {
  if (kind === 'frame') return 'document';
  return kind === 'object' ? 'other' : kind;
}
