/**
 * Reduces asset URLs to a form that two deployments share: origin-mapped, without the query, and without the hash that
 * a bundler adds to the name, so that `app.3f9ac2d1.js` and `app.b71e0042.js` are the same asset.
 */
import type { HtmlAsset } from '../probe/index.js';
import { tryUrl } from '../try-url.js';
import type { SampleView } from './sample-view.js';

const BUILD_HASH =
  /([._-])(?=[0-9a-zA-Z_-]{0,63}\d)[0-9a-zA-Z_-]{6,64}(?=\.[a-z0-9]{1,5}(?:\.[a-z0-9]{1,5})?$)/;
/** The longest possible match, which is always at the end: a separator, the hash and two extensions. */
const BUILD_HASH_CHARS_MAX = 1 + 64 + 2 * 6;
const ID_PART = /^(?=.*\d)[0-9a-zA-Z_-]{16,}$/;

export interface PageAsset extends HtmlAsset {
  /** The form used for comparison. */
  readonly form: string;
}

export function assetsOf(view: SampleView): readonly PageAsset[] {
  return view.parsed('assets', () =>
    (view.envelope.body?.html?.assets ?? []).map((asset) => ({ ...asset, form: assetForm(asset.url, view) })),
  );
}

export function assetForm(url: string, view: SampleView): string {
  const parsed = tryUrl(url);
  if (!parsed) return view.map(url);
  const { host, pathname } = parsed;
  const parts = pathname.split('/').map((part) => (ID_PART.test(part) ? '*' : part));
  return `//${view.map(host)}${withoutBuildHash(parts.join('/'))}`;
}

/** A form for people: the path alone if it is on the side's own host, else with the host that the side uses. */
export function shownForm(form: string, { origins, side }: SampleView): string {
  return origins.unmapText(form.replace(/^\/\/\{host\}/, ''), side);
}

/** Searches only the end of the path, since the pattern would be tried at every separator of a long name. */
function withoutBuildHash(path: string): string {
  const at = Math.max(0, path.length - BUILD_HASH_CHARS_MAX);
  return path.slice(0, at) + path.slice(at).replace(BUILD_HASH, '$1*');
}
