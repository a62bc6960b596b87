/**
 * Where the request ended, component by component after origin mapping. A component that both sides kept as requested
 * is not drift: the caller requested different URLs.
 */
import { differencesOf } from '../differences.js';
import { NAME, type Rule, worstAndMore } from '../rule.js';
import type { SampleView } from '../sample-view.js';
import type { Severity } from '../severity.js';

type Component = 'host' | 'path' | 'scheme' | 'query' | 'fragment';

const SEVERITIES: Readonly<Record<Component, Severity>> = {
  host: 'critical',
  path: 'warn',
  scheme: 'info',
  query: 'info',
  fragment: 'info',
};

const COMPONENTS = Object.keys(SEVERITIES) as Component[];

const READ: Readonly<Record<Component, (url: URL, view: SampleView) => string>> = {
  host: (url, view) => view.map(url.host),
  path: (url) => url.pathname,
  scheme: (url) => url.protocol,
  query: (url, view) => view.map(url.search),
  fragment: (url) => url.hash,
};

export const finalUrlMismatch: Rule = {
  code: 'FINAL_URL_MISMATCH',
  version: 2,
  title: 'Final URL differs',
  about:
    'The final URLs differ after origin mapping: an unmapped host is critical, a different path is a warning, a different scheme, query or fragment is info.',
  recommendation: 'Compare the redirect chains, and the routing and base URL settings of both sides.',
  inputs: ['redirects', 'status'],
  grouped: worstAndMore,
  compare(left, right) {
    const a = left.finalUrl;
    const b = right.finalUrl;
    if (!a || !b) return [];
    return differencesOf(COMPONENTS, (component) => {
      const values = [READ[component](a, left), READ[component](b, right)] as const;
      if (values[0] === values[1]) return undefined;
      if (stayed(left, component, values[0]) && stayed(right, component, values[1])) return undefined;
      return {
        section: 'finalUrl',
        key: component,
        left: left.response?.finalUrl ?? null,
        right: right.response?.finalUrl ?? null,
        severity: SEVERITIES[component],
        direction: 'changed',
        message: `The final ${component} differs: ${shown(values[0])} on ${NAME.left} and ${shown(values[1])} on ${NAME.right}`,
      };
    });
  },
};

function stayed(view: SampleView, component: Component, value: string): boolean {
  const requested = view.requestedUrl;
  return requested !== undefined && READ[component](requested, view) === value;
}

/** What the origin map writes for a host of the side's own. */
function shown(value: string): string {
  return value.replaceAll(/\{host\d*\}/g, 'its own host') || 'none';
}
