/** Which CDNs and proxies the response came through, recognized by their headers. */
import { oneSidedDifferences } from '../differences.js';
import { sortedSet } from '../fields/code-unit-order.js';
import { NAME, type Rule } from '../rule.js';
import type { SampleView } from '../sample-view.js';

/** Header (with an optional pattern for its value) → who sends it. */
const MARKS: readonly (readonly [name: string, value: RegExp | undefined, edge: string])[] = [
  ['cf-ray', undefined, 'Cloudflare'],
  ['server', /cloudflare/i, 'Cloudflare'],
  ['x-amz-cf-id', undefined, 'CloudFront'],
  ['x-amz-cf-pop', undefined, 'CloudFront'],
  ['via', /cloudfront/i, 'CloudFront'],
  ['x-fastly-request-id', undefined, 'Fastly'],
  ['x-served-by', /cache-/i, 'Fastly'],
  ['x-akamai-transformed', undefined, 'Akamai'],
  ['x-akamai-request-id', undefined, 'Akamai'],
  ['server', /akamai/i, 'Akamai'],
  ['x-vercel-id', undefined, 'Vercel'],
  ['x-vercel-cache', undefined, 'Vercel'],
  ['x-nf-request-id', undefined, 'Netlify'],
  ['x-azure-ref', undefined, 'Azure Front Door'],
  ['fly-request-id', undefined, 'Fly'],
  ['x-varnish', undefined, 'Varnish'],
  ['via', /varnish/i, 'Varnish'],
  ['x-cdn', undefined, 'CDN'],
  ['x-sucuri-id', undefined, 'Sucuri'],
  ['x-iinfo', undefined, 'Imperva'],
  ['via', /google/i, 'Google'],
  ['x-envoy-upstream-service-time', undefined, 'Envoy'],
  ['x-kong-upstream-latency', undefined, 'Kong'],
];

export const edgePathDrift: Rule = {
  code: 'EDGE_PATH_DRIFT',
  version: 2,
  title: 'CDNs or proxies differ',
  about:
    'The response of one side passed through a CDN or proxy that the other did not, recognized by Via and other known headers. Warning.',
  recommendation:
    'Expect further differences: edge rules (caching, headers, redirects, bot filters) apply to one side only.',
  inputs: ['headers.extended'],
  claims: [...new Set(MARKS.map(([name]) => name)), 'via', 'x-backend', 'x-backend-server'],
  grouped: (count) => `${count} CDNs or proxies are in front of one side only`,
  compare(left, right) {
    return oneSidedDifferences(edgesOf(left), edgesOf(right), (edge, side) => ({
      section: 'headers',
      severity: 'warn',
      direction: `${side}_only`,
      message: `Only ${NAME[side]} is reached through ${edge}`,
    }));
  },
};

function edgesOf(view: SampleView): readonly string[] {
  const others = view.response?.headers.otherNames ?? [];
  const edges = new Set<string>();
  for (const [name, value, edge] of MARKS) {
    const lines = view.lines(name);
    const marked =
      value === undefined ? lines || others.includes(name) : lines && value.test(view.text(name) ?? '');
    if (marked) edges.add(edge);
  }
  if (edges.size === 0 && view.lines('via')) edges.add('proxy (Via)');
  return sortedSet(edges);
}
