/** What a side reveals about its internals: stack traces, debug pages, source maps, versions in server headers. */
import type { BodyMarker } from '../../probe/index.js';
import { oneSidedDifferences } from '../differences.js';
import { NAME, type Rule, valueOn, weakerSide } from '../rule.js';
import type { SampleView } from '../sample-view.js';
import { markerText } from './error-page-drift.js';

const EXPOSING: ReadonlySet<BodyMarker['type']> = new Set([
  'stack-trace',
  'debug-page',
  'directory-listing',
  'source-map',
]);
const EXPOSING_HEADERS = ['sourcemap', 'x-sourcemap', 'x-debug-token-link'];
const BANNER = 'version in ';
const VERSION = /\d\.\d/;
const BANNERS = ['server', 'x-powered-by', 'x-aspnet-version', 'x-aspnetmvc-version', 'x-generator'];

export const infoExposureDrift: Rule = {
  code: 'INFO_EXPOSURE_DRIFT',
  version: 2,
  title: 'Internal details are exposed',
  about:
    'One side exposes a stack trace, a debug page, a directory listing or a source map: critical. A version number in a server header on one side only is info.',
  recommendation: 'Turn off debug mode, do not publish source maps, and remove versions from server headers.',
  inputs: ['headers.extended'],
  claims: [...EXPOSING_HEADERS, ...BANNERS],
  compare(left, right) {
    return oneSidedDifferences(exposures(left), exposures(right), (key, side) => {
      const banner = key.startsWith(BANNER) ? key.slice(BANNER.length) : undefined;
      const view = side === 'left' ? left : right;
      return {
        section: banner === undefined && key.includes(' ') ? 'body' : 'headers',
        ...valueOn(side, banner === undefined ? key : view.text(banner)),
        severity: banner === undefined ? 'critical' : 'info',
        direction: weakerSide(side),
        message: `Only ${NAME[side]} exposes ${exposureText(key)}`,
        kind: side,
      };
    });
  },
};

/** A key without a space is a header. */
function exposureText(key: string): string {
  if (key.startsWith(BANNER)) return `a ${key}`;
  return key.includes(' ') ? `a ${markerText(key)}` : `the header ${key}`;
}

function exposures(view: SampleView): string[] {
  const found: string[] = [];
  for (const { type, name } of view.envelope.body?.markers ?? []) {
    if (EXPOSING.has(type)) found.push(`${type} ${name}`);
  }
  for (const name of EXPOSING_HEADERS) if (view.lines(name)) found.push(name);
  for (const name of BANNERS) {
    if (view.lines(name) && VERSION.test(view.text(name) ?? '')) found.push(BANNER + name);
  }
  return found;
}
