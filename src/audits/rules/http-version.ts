/** Checks that the server supports HTTP/2 or newer. */
import { headersOf } from '../facts/fetch-facts.js';
import { fail, notApplicable, notMeasured, pass, siteRule } from '../rule.js';

export const httpVersion = siteRule({
  id: 'http.version',
  title: 'The server does not offer HTTP/2 or HTTP/3',
  passTitle: 'The server offers HTTP/2 or HTTP/3',
  category: 'perf',
  severity: 'info',
  weight: 2,
  why: 'HTTP/1.1 sends one response at a time per connection; newer versions send many at once.',
  fix: 'Enable HTTP/2 on the server or on the CDN in front of it.',
  inputs: { site: ['probes', 'origin', 'responses', 'homeUrl'] },
  check({ site: { probes, origin, responses, homeUrl } }) {
    if (!origin.startsWith('https:')) return notApplicable('browsers use HTTP/2 over TLS only');
    const home = responses.get(homeUrl);
    if (home && headersOf(home, 'alt-svc').some((value) => /\bh3(?:-\d+)?=/.test(value))) return pass;
    if (!probes.alpn) return notMeasured('the protocols of the server could not be queried');
    if (probes.alpn.negotiated === 'h2') return pass;
    return fail({
      url: homeUrl,
      element: 'TLS ALPN',
      observed: probes.alpn.negotiated ?? 'no protocol was chosen',
      expected: 'h2, or h3 in Alt-Svc',
    });
  },
});
