/** Checks that headers do not expose server versions. */
import { headersOf } from '../facts/fetch-facts.js';
import { failIfAny, siteRule } from '../rule.js';
import { homeResponse } from './home-response.js';

const HEADERS = ['Server', 'X-Powered-By', 'X-AspNet-Version', 'X-Generator'];

export const secServerVersion = siteRule({
  id: 'sec.server-version',
  title: '{n} {header exposes|headers expose} server versions',
  passTitle: 'Headers do not expose server versions',
  category: 'security',
  severity: 'info',
  weight: 1,
  why: 'A version number shows attackers which known vulnerabilities to try.',
  fix: 'Remove the header or its version number, for example with server_tokens off.',
  inputs: { site: ['homeUrl', 'responses'] },
  check({ site: { homeUrl, responses } }) {
    const { home, unmeasured } = homeResponse({ homeUrl, responses });
    if (unmeasured) return unmeasured;
    return failIfAny(
      HEADERS.filter((name) => headersOf(home, name.toLowerCase()).some((value) => /\d\.\d/.test(value))).map(
        (name) => ({
          url: homeUrl,
          element: name,
          observed: `${name} contains a version number`,
          expected: 'no version number',
        }),
      ),
    );
  },
});
