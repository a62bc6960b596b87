/** What a side tells about its inside: stack traces, debug pages, source maps, versions in banners. */
import type { BodyMarker } from '../../probe/index.js';
import { byCodeUnit, without } from '../fields/code-unit-order.js';
import { type Difference, type Rule, type RuleContext, severityOfWeaker, weakerSide } from '../rule.js';
import type { SampleView } from '../sample-view.js';

const EXPOSING: ReadonlySet<BodyMarker['type']> = new Set([
  'stack-trace',
  'debug-page',
  'directory-listing',
  'source-map',
]);
const EXPOSING_HEADERS = ['sourcemap', 'x-sourcemap', 'x-debug-token-link'];
const BANNERS = ['server', 'x-powered-by', 'x-aspnet-version', 'x-aspnetmvc-version', 'x-generator'];

export const infoExposureDrift: Rule = {
  code: 'INFO_EXPOSURE_DRIFT',
  version: 1,
  title: 'One side tells about its inside',
  about:
    'A stack trace, a debug page, a directory listing or a source map on one side only: critical on the protected side, otherwise a warning. A version number in a banner on one side only is information.',
  recommendation:
    'Switch off debug mode, do not deploy source maps publicly, and remove versions from banners.',
  inputs: ['headers.extended'],
  claims: [...EXPOSING_HEADERS, ...BANNERS],
  compare(left, right, context) {
    const a = exposures(left);
    const b = exposures(right);
    return [
      ...without(a, b).map((key) => difference(key, left, context)),
      ...without(b, a).map((key) => difference(key, right, context)),
    ].sort((x, y) => byCodeUnit(x.key, y.key));
  },
};

function exposures(view: SampleView): string[] {
  const marks = (view.envelope.body?.markers ?? []).filter(({ type }) => EXPOSING.has(type));
  const headers = EXPOSING_HEADERS.filter((name) => view.lines(name) !== undefined);
  const banners = BANNERS.filter((name) => /\d+\.\d+/.test(view.text(name) ?? ''));
  return [
    ...marks.map(({ type, name }) => `${type} ${name}`),
    ...headers,
    ...banners.map((name) => `version in ${name}`),
  ];
}

function difference(key: string, view: SampleView, context: RuleContext): Difference {
  const banner = key.startsWith('version in ') ? view.text(key.slice('version in '.length)) : key;
  return {
    section: key.includes(' ') && !key.startsWith('version in ') ? 'body' : 'headers',
    key,
    left: view.side === 'left' ? banner : null,
    right: view.side === 'right' ? banner : null,
    severity: key.startsWith('version in ') ? 'info' : severityOfWeaker(view.side, context),
    direction: weakerSide(view.side),
    message: `Only the ${view.side} side shows: ${key}`,
    kind: view.side,
  };
}
